/** Whether nobody can listen in: TLS, or an address that does not leave the machine. */
export function isPrivate(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || isLoopback(hostname);
}

/** Whether the host, as in a URL or in HOST, is this machine alone (RFC 6761 section 6.3 for the names). */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** IP addresses of this machine alone, for a system that does not know its own name: an image without `/etc/hosts`. */
const LOOPBACK = ["127.0.0.1", "::1"];

/**
 * The places where a server with this HOST listens: `localhost` is all its IP addresses, whether or not the system can resolve
 * the name (RFC 6761 section 6.3). Any other host stays as it is written.
 */
export async function listenAddresses(host: string): Promise<[string, ...string[]]> {
  if (host !== "localhost") return [host];
  const { lookup } = await import("node:dns/promises");
  const found = await lookup(host, { all: true }).catch(() => []);
  const [first = "127.0.0.1", ...others] = new Set(found.length > 0 ? found.map(({ address }) => address) : LOOPBACK);
  return [first, ...others];
}

/** Where programs on this machine ask a server with this HOST, each as the host of a URL. */
export async function ownHosts(host: string): Promise<string[]> {
  if (host === "0.0.0.0") return ["127.0.0.1"];
  if (host === "::") return ["[::1]"];
  return (await listenAddresses(host)).map((address) => (address.includes(":") ? `[${address}]` : address));
}

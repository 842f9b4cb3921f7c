/**
 * The name of the cookie that holds a person's session. RFC 6265bis: a browser takes the prefixed one only from this
 * host, over TLS. Cookies ignore ports: on localhost, the name is ours so that it meets no other program's.
 */
export function sessionCookie(issuer: string): string {
  return issuer.startsWith("https:") ? "__Host-session" : "content-api-session";
}

/**
 * The name of a cookie that is sent to every path of this host. RFC 6265bis: a browser takes one with the prefix only from
 * this host, over TLS. Cookies ignore ports: on localhost, the name is ours so that it meets no other program's.
 */
export function hostCookieName(issuer: string, name: "session" | "account" | "known" | "carried"): string {
  return isSecure(issuer) ? `__Host-${name}` : `content-api-${name}`;
}

/** The attributes of such a cookie: no script reads it, and no other site's form posts with it. */
export function hostCookieOptions(issuer: string) {
  return { httpOnly: true, sameSite: "lax", secure: isSecure(issuer), path: "/", overwrite: true } as const;
}

function isSecure(issuer: string): boolean {
  return issuer.startsWith("https:");
}

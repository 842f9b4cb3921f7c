import type { FastifyReply, FastifyRequest } from "fastify";

type CookieName = "session" | "account" | "known" | "carried" | "upstream" | "arrival";

/**
 * The name of a cookie that is sent to every path of this host. RFC 6265bis: a browser takes one with the prefix only from
 * this host, over TLS. Cookies ignore ports: on localhost, the name is ours so that it meets no other program's.
 */
export function hostCookieName(issuer: string, name: CookieName): string {
  return isSecure(issuer) ? `__Host-${name}` : `content-api-${name}`;
}

/** The attributes of such a cookie: no script reads it, and no other site's form posts with it. */
export function hostCookieOptions(issuer: string) {
  return { httpOnly: true, sameSite: "lax", secure: isSecure(issuer), path: "/", overwrite: true } as const;
}

/** A cookie that the engine knows nothing of: reading or writing it loads no engine. */
export interface HostCookie {
  /** undefined in a browser without it. */
  read(request: FastifyRequest): string | undefined;
  /** @param seconds for which the browser keeps it; without, until the browser ends */
  write(reply: FastifyReply, value: string, seconds?: number): void;
  clear(reply: FastifyReply): void;
}

export function openHostCookie(issuer: string, name: Exclude<CookieName, "session">): HostCookie {
  const start = `${hostCookieName(issuer, name)}=`;
  const { path, sameSite, secure } = hostCookieOptions(issuer);

  function write(reply: FastifyReply, value: string, seconds?: number): void {
    const age = seconds === undefined ? "" : `; max-age=${seconds}`;
    const attributes = `; path=${path}${age}; samesite=${sameSite}; httponly${secure ? "; secure" : ""}`;
    // The engine writes its cookies to Node's response, and Fastify's own header of this name would replace them.
    reply.raw.appendHeader("set-cookie", start + value + attributes);
  }

  return {
    read: ({ headers }) =>
      headers.cookie
        ?.split(/;\s*/)
        .find((pair) => pair.startsWith(start))
        ?.slice(start.length),
    write,
    clear: (reply) => write(reply, "", 0),
  };
}

function isSecure(issuer: string): boolean {
  return issuer.startsWith("https:");
}

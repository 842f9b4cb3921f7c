import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hostCookieName, hostCookieOptions } from "./host-cookies.ts";

/** Ties forms to a browser that has no session, so that no other site posts them (A12). It is the cookie of the form at `/account`. */
export interface FormCookie {
  /** Its value; null in a browser without it. */
  read(request: FastifyRequest): string | null;
  /** Its value, after giving it to a browser without it. */
  ensure(request: FastifyRequest, reply: FastifyReply): string;
}

export function openFormCookie(issuer: string): FormCookie {
  const name = hostCookieName(issuer, "account");
  const { path, sameSite, secure } = hostCookieOptions(issuer);
  const attributes = `path=${path}; samesite=${sameSite}; httponly${secure ? "; secure" : ""}`;

  function read(request: FastifyRequest): string | null {
    const value = readCookie(request, name);
    return value !== undefined && /^[\w-]{22}$/.test(value) ? value : null;
  }

  return {
    read,
    ensure(request, reply) {
      const known = read(request);
      if (known !== null) return known;
      const value = randomBytes(16).toString("base64url");
      reply.header("set-cookie", `${name}=${value}; ${attributes}`);
      return value;
    },
  };
}

/** For pages that do without the engine, which reads cookies everywhere else. */
export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const pair = headers.cookie?.split(/;\s*/).find((text) => text.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

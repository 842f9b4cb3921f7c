import type { FastifyReply, FastifyRequest } from "fastify";
import type { Sealer } from "../../secrets/seal.ts";
import { hostCookieName, hostCookieOptions } from "../http/host-cookies.ts";
import type { Visits } from "./visit.ts";

/** `link`: the secret of a mailed link, for after the sign-in. `sent`: the address that was mailed. */
type Kind = "link" | "sent";

/** A text that one page hands on to the next in the same browser, sealed in a cookie: it must stand in no URL (P21). */
export interface Carried {
  put(request: FastifyRequest, reply: FastifyReply, kind: Kind, text: string, seconds: number): void;
  /** null for nothing of that kind. */
  read(request: FastifyRequest, reply: FastifyReply, kind: Kind): string | null;
  clear(request: FastifyRequest, reply: FastifyReply): void;
}

/** @param now milliseconds of Unix time */
export function openCarried(
  issuer: string,
  sealer: Sealer,
  now: () => number,
  contextOf: Visits["contextOf"],
): Carried {
  const name = hostCookieName(issuer, "carried");
  const options = { ...hostCookieOptions(issuer), signed: false } as const;
  const contextFor = (kind: Kind) => `carried ${kind}`;

  return {
    put(request, reply, kind, text, seconds) {
      const sealed = sealer.seal(JSON.stringify({ text, until: now() + seconds * 1_000 }), contextFor(kind));
      contextOf(request, reply).cookies.set(name, sealed, { ...options, maxAge: seconds * 1_000 });
    },
    read(request, reply, kind) {
      const cookie = contextOf(request, reply).cookies.get(name, { signed: false });
      const opened = cookie === undefined || cookie.length > 2_000 ? null : sealer.open(cookie, contextFor(kind));
      if (opened === null) return null;
      const { text, until } = JSON.parse(opened) as { text: string; until: number };
      return until > now() ? text : null;
    },
    clear(request, reply) {
      contextOf(request, reply).cookies.set(name, null, options);
    },
  };
}

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Sealer } from "../../secrets/seal.ts";
import { openHostCookie } from "../http/host-cookies.ts";

/** `link`: the ticket of a mailed link, for after the sign-in. `sent`: the address that was mailed. */
type Kind = "link" | "sent";

/** A text that one page hands on to the next in the same browser, sealed in a cookie: it must stand in no URL (P21). */
export interface Carried {
  put(reply: FastifyReply, kind: Kind, text: string, seconds: number): void;
  /** null for nothing of that kind. */
  read(request: FastifyRequest, kind: Kind): string | null;
  clear(reply: FastifyReply): void;
}

/** @param now milliseconds of Unix time */
export function openCarried(issuer: string, sealer: Sealer, now: () => number): Carried {
  const carrier = openHostCookie(issuer, "carried");
  const contextFor = (kind: Kind) => `carried ${kind}`;

  return {
    put(reply, kind, text, seconds) {
      const sealed = sealer.seal(JSON.stringify({ text, until: now() + seconds * 1_000 }), contextFor(kind));
      carrier.write(reply, sealed, seconds);
    },
    read(request, kind) {
      const cookie = carrier.read(request);
      const opened = cookie === undefined || cookie.length > 2_000 ? null : sealer.open(cookie, contextFor(kind));
      if (opened === null) return null;
      const { text, until } = JSON.parse(opened) as { text: string; until: number };
      return until > now() ? text : null;
    },
    clear: carrier.clear,
  };
}

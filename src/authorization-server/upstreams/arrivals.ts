import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Id } from "../../domain/id.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { openHostCookie } from "../http/host-cookies.ts";
import type { Identity, UpstreamOrigin } from "./upstream.ts";

/** Seconds for which an identity waits in the browser for its person to decide (U63). */
const WAIT_SECONDS = 600;
const CONTEXT = "arrival from an upstream";
/** A cookie has room for 4096 bytes. */
const LONGEST = 3_800;

/** An identity that has come back from an upstream, on its way to an account. */
export interface Arrival extends UpstreamOrigin, Pick<Identity, "email" | "emailVerified" | "name"> {
  readonly isSecondStep: boolean;
  /** The path of the place where the person signs in. */
  readonly root: string;
  /** The page that follows a sign-in at the account page. */
  readonly page: string | null;
  /** Whether the person wants to sign in another way first, and then link it. */
  readonly isToLink: boolean;
  /** The person who has signed in since, the only one who may link it; null for nobody yet. */
  readonly owner: Id | null;
}

/** A round trip that brought nobody back, and why. */
interface FailedArrival extends Pick<Arrival, "root" | "page"> {
  readonly failed: { readonly status: 400 | 503; readonly message: string };
}

interface Waiting {
  readonly id: string;
  /** Milliseconds of Unix time. */
  readonly until: number;
  readonly arrival: Arrival | FailedArrival;
}

/** Identities that came back from upstreams, each in the browser that brought it: sealed in the cookie `arrival`, one at a time. */
export interface Arrivals {
  put(reply: FastifyReply, arrival: Arrival | FailedArrival): void;
  /** null without one, and for one that has waited too long. */
  read(request: FastifyRequest): Waiting | null;
  /** Changes what waits: it stays the same one, and waits no longer for it. */
  change(reply: FastifyReply, waiting: Waiting, change: Partial<Pick<Arrival, "isToLink" | "owner">>): void;
  /** Takes it out of the browser. @returns false where another request was first */
  take(reply: FastifyReply, waiting: Waiting): Promise<boolean>;
}

export interface ArrivalOptions {
  readonly issuer: string;
  readonly sealer: Sealer;
  readonly attempts: Pick<AttemptStore, "claimOnce">;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

export function openArrivals({ issuer, sealer, attempts, now }: ArrivalOptions): Arrivals {
  const cookie = openHostCookie(issuer, "arrival");

  function write(reply: FastifyReply, waiting: Waiting): void {
    cookie.write(reply, sealer.seal(JSON.stringify(waiting), CONTEXT), WAIT_SECONDS);
  }

  return {
    put(reply, arrival) {
      const id = randomBytes(16).toString("base64url");
      write(reply, { id, until: now() + WAIT_SECONDS * 1_000, arrival });
    },
    read(request) {
      const value = cookie.read(request);
      const text = value === undefined || value.length > LONGEST ? null : sealer.open(value, CONTEXT);
      const waiting = text === null ? null : (JSON.parse(text) as Waiting);
      return waiting !== null && waiting.until > now() ? waiting : null;
    },
    change: (reply, waiting, change) => write(reply, { ...waiting, arrival: { ...waiting.arrival, ...change } }),
    async take(reply, { id, until }) {
      cookie.clear(reply);
      return attempts.claimOnce(`arrival ${id}`, Math.ceil(until / 1_000), Math.floor(now() / 1_000));
    },
  };
}

/** The name under which this server keeps a session of an upstream. */
export function hashSid(provider: string, sid: string): string {
  return hashToken(JSON.stringify([provider, sid]));
}

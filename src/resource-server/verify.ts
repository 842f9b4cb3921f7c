import { LRUCache } from "lru-cache";
import type { Change, ChangeListener } from "../domain/change.ts";
import type { Door } from "../domain/door.ts";
import type { AccessToken } from "../domain/store/artifacts.ts";
import type { Viewer } from "../domain/viewer.ts";
import { type Metrics, openMetrics } from "../observe/metrics.ts";
import { TokenRefusal } from "./token-refusal.ts";

/**
 * Time for which an answer of the store is cached: the longest an unannounced revocation can go unnoticed. Two look-ups
 * a second by primary key for each busy token cost less than the trust in notifications that a longer time would need.
 */
const FRESH_MS = 500;
const MAX_TOKENS = 10_000;

export interface VerifierOptions {
  /** Looks an opaque access token up; null when it is not a live one. */
  findAccessToken(token: string, nowSeconds: number): Promise<AccessToken | null>;
  /** Has the listener told of tokens, grants, people and clients that have changed. */
  watch(listener: ChangeListener): void;
  /** Milliseconds of Unix time. */
  now(): number;
  /** Counts tokens. Defaults to metrics that nobody reads. */
  readonly metrics?: Pick<Metrics, "counter">;
}

/** A live token. */
export interface Live {
  readonly viewer: Viewer;
  /** Thumbprint of the key that each use must prove; null for a bearer token. */
  readonly jkt: string | null;
  /** Thumbprint of the certificate that must come with each use (RFC 8705 section 3). */
  readonly x5t: string | null;
  /** The door that it names; null for one that names none, or both. */
  readonly audience: Door | null;
}

interface Entry extends Live {
  readonly found: AccessToken;
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** Refuses a token that is not live. Synchronous while the answer is still believed. */
export type Verify = (token: string) => Live | TokenRefusal | Promise<Live | TokenRefusal>;

/**
 * Finds the viewer behind an opaque token. Live tokens are cached for half a second, or until a notification of their
 * end. So a busy client costs two look-ups a second, and a revoked token is rejected within one second, usually
 * immediately. Unknown tokens are never cached.
 */
export function openVerifier({ findAccessToken, watch, now, metrics = openMetrics() }: VerifierOptions): Verify {
  const hits = metrics.counter("tokens_verified_total", "hit");
  const misses = metrics.counter("tokens_verified_total", "miss");
  const cache = new LRUCache<string, Entry>({ max: MAX_TOKENS });
  /** Changes told so far: an answer that one of them overtook is not kept. */
  let told = 0;
  watch((change) => {
    if (change.id === null) return; // what is not told by its id is seen within half a second anyway
    told++;
    for (const [token, { found }] of cache) if (concerns(change, found)) cache.delete(token);
  });

  async function lookUp(token: string): Promise<Live | TokenRefusal> {
    const askedAt = now();
    const toldBefore = told;
    const found = await findAccessToken(token, Math.floor(askedAt / 1000));
    if (found === null) {
      cache.delete(token);
      return new TokenRefusal("unknown");
    }
    const known = cache.get(token);
    // One object while nothing has changed, so that what is remembered for a viewer is found again.
    const viewer = known !== undefined && isSame(known.found, found) ? known.viewer : viewerOf(found);
    const { jkt, x5t, audience, expiresAtSeconds } = found;
    const entry: Entry = { viewer, jkt, x5t, audience, found, askedAt, expiresAt: expiresAtSeconds * 1000 };
    if (told === toldBefore) cache.set(token, entry);
    return entry;
  }

  return (token) => {
    const entry = cache.get(token);
    const at = now();
    // Either way: a clock that is set back must not make an answer last (F14).
    const isFresh = entry !== undefined && Math.abs(at - entry.askedAt) < FRESH_MS && at < entry.expiresAt;
    (isFresh ? hits : misses).add();
    return isFresh ? entry : lookUp(token);
  };
}

function viewerOf({ userId, role, clientId, scope, authTimeSeconds, acr, hasSecondStep }: AccessToken): Viewer {
  const scopes = new Set(scope.split(" ").filter((name) => name !== ""));
  const signIn = authTimeSeconds === null ? null : { atSeconds: authTimeSeconds, acr };
  return { userId, role, clientId, scopes, signIn, hasSecondStep };
}

function isSame(a: AccessToken, b: AccessToken): boolean {
  const names = Object.keys(b) as (keyof AccessToken)[];
  return names.length === Object.keys(a).length && names.every((name) => a[name] === b[name]);
}

function concerns({ kind, id }: Change, { idHash, grantId, userId, clientId }: AccessToken): boolean {
  switch (kind) {
    case "token":
      return id === idHash;
    case "grant":
      return id === grantId;
    case "user":
      return id === userId;
    case "client":
      return id === clientId;
    default:
      return false;
  }
}

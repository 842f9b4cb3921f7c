import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Change, ChangeListener } from "../domain/change.ts";
import type { Door } from "../domain/door.ts";
import { AppError } from "../domain/errors.ts";
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
/** Longest time for which an answer serves while the store does not give a newer one, where staleness is allowed (E12). */
const MAX_STALE_MS = 5_000;
/** Time after which an answer counts as late, if an older one may serve in its place. */
const PATIENCE_MS = 5;

export interface VerifierOptions {
  /** Looks an opaque access token up; null when it is not a live one. */
  findAccessToken(token: string, nowSeconds: number): Promise<AccessToken | null>;
  /** Has the listener told of tokens, grants, people and clients that have changed. */
  watch(listener: ChangeListener): void;
  /** Milliseconds of Unix time. */
  now(): number;
  /** Milliseconds for which the last answer may serve while the next one is late, 5,000 at most. Defaults to 0. */
  readonly staleness?: number;
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
  /** The look-up that will replace it, and null after the time that callers wait for it; null while there is none. */
  next: { readonly found: Promise<Live | TokenRefusal>; readonly late: Promise<null> } | null;
}

/** Refuses a token that is not live. Synchronous while the answer is still believed. */
export type Verify = (token: string) => Live | TokenRefusal | Promise<Live | TokenRefusal>;

/**
 * Finds the viewer behind an opaque token. Live tokens are cached for half a second, or until a notification of their
 * end. So a busy client costs two look-ups a second, and a revoked token is rejected within one second, usually
 * immediately. Unknown tokens are never cached.
 *
 * With `staleness`, a look-up that is late or fails leaves the last answer in force, unless its end has been notified. So a
 * revocation that is not heard of takes effect after five seconds at most.
 */
export function openVerifier({
  findAccessToken,
  watch,
  now,
  staleness = 0,
  metrics = openMetrics(),
}: VerifierOptions): Verify {
  const mostStale = Math.min(staleness, MAX_STALE_MS);
  const hits = metrics.counter("tokens_verified_total", "hit");
  const misses = metrics.counter("tokens_verified_total", "miss");
  const cache = new LRUCache<string, Entry>({ max: MAX_TOKENS });
  /** Whether the last look-up was late, or failed. Then nobody waits for the next one where an answer is known. */
  let isLate = false;
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
    const entry: Entry = { viewer, jkt, x5t, audience, found, askedAt, expiresAt: expiresAtSeconds * 1000, next: null };
    if (told === toldBefore) cache.set(token, entry);
    return entry;
  }

  /** The next answer, or this one where the next is late. A notification may have dropped this one in the meantime. */
  async function renew(token: string, entry: Entry): Promise<Live | TokenRefusal> {
    entry.next ??= begin(token, entry);
    const { found, late } = entry.next;
    try {
      return (await Promise.race([found, late])) ?? (cache.get(token) === entry ? entry : await found);
    } catch (error) {
      if (cache.get(token) === entry && isAway(error)) return entry;
      throw error;
    }
  }

  function begin(token: string, entry: Entry): NonNullable<Entry["next"]> {
    const began = performance.now();
    const found = lookUp(token).finally(() => {
      entry.next = null;
    });
    const ended = (isAnswered: boolean) => {
      isLate = !isAnswered || performance.now() - began > PATIENCE_MS;
    };
    found.then(
      () => ended(true),
      () => ended(false),
    );
    return { found, late: isLate ? Promise.resolve(null) : pause(PATIENCE_MS, null) };
  }

  return (token) => {
    const entry = cache.get(token);
    const at = now();
    // Either way: a clock that is set back must not make an answer last (F14).
    const age = entry === undefined || at >= entry.expiresAt ? Number.POSITIVE_INFINITY : Math.abs(at - entry.askedAt);
    const isFresh = age < FRESH_MS;
    (isFresh ? hits : misses).add();
    if (entry === undefined || age >= Math.max(FRESH_MS, mostStale)) return lookUp(token);
    return isFresh ? entry : renew(token, entry);
  };
}

/** Whether nothing is known of the token because the store does not answer. */
function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === "UNAVAILABLE";
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

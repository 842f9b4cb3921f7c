import { LRUCache } from "lru-cache";
import type { AccessToken } from "../domain/store.ts";
import type { Viewer } from "../domain/viewer.ts";

/** How long an answer of the store is believed: the bound on how late a revocation is seen. */
const FRESH_MS = 500;
const MAX_TOKENS = 10_000;

export interface VerifierOptions {
  /** Looks an opaque access token up; null when it is not a live one. */
  findAccessToken(token: string, nowSeconds: number): Promise<AccessToken | null>;
  /** Milliseconds of Unix time. */
  now(): number;
}

interface Entry {
  readonly viewer: Viewer;
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** A live token's viewer, or null. Synchronous while the answer is still believed. */
export type Verify = (token: string) => Viewer | null | Promise<Viewer | null>;

/**
 * Finds the viewer behind an opaque token. Live tokens are believed for half a second, so that a busy client costs
 * two look-ups a second and a revoked token is refused within one. Unknown tokens are never cached.
 */
export function openVerifier({ findAccessToken, now }: VerifierOptions): Verify {
  const cache = new LRUCache<string, Entry>({ max: MAX_TOKENS });

  async function lookUp(token: string): Promise<Viewer | null> {
    const askedAt = now();
    const found = await findAccessToken(token, Math.floor(askedAt / 1000));
    if (found === null) {
      cache.delete(token);
      return null;
    }
    const viewer: Viewer = {
      userId: found.userId,
      role: found.role,
      clientId: found.clientId,
      scopes: new Set(found.scope.split(" ").filter((scope) => scope !== "")),
    };
    cache.set(token, { viewer, askedAt, expiresAt: found.expiresAtSeconds * 1000 });
    return viewer;
  }

  return (token) => {
    const entry = cache.get(token);
    const at = now();
    // Either way: a clock that is set back must not make an answer last (F14).
    const isFresh = entry !== undefined && Math.abs(at - entry.askedAt) < FRESH_MS && at < entry.expiresAt;
    return isFresh ? entry.viewer : lookUp(token);
  };
}

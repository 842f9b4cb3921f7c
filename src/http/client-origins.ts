import { isUsable } from "../domain/clients/client.ts";
import type { ClientStore } from "../domain/clients/client-store.ts";

/** Milliseconds for which the origins of clients stay in memory; longer while storage is away, which must not fail requests. */
const FRESH_MS = 1_000;

export type IsClientOrigin = (origin: string) => Promise<boolean>;

/**
 * Whether an active client has a redirect URI at this origin. Browsers do not send bearer tokens on their own, so this
 * guards against little; it keeps a stolen page from reading answers.
 *
 * @param now milliseconds of Unix time
 */
export function openClientOrigins(clients: Pick<ClientStore, "list">, now: () => number): IsClientOrigin {
  let origins: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (origin) => {
    // In both directions: a clock that is set back must not extend the lifetime (F14).
    if (Math.abs(now() - readAt) >= FRESH_MS) {
      const all = await clients.list().catch(() => null);
      if (all === null) return origins.has(origin);
      const active = all.filter(isUsable);
      origins = new Set(active.flatMap((client) => client.redirectUris).flatMap(webOrigin));
      readAt = now();
    }
    return origins.has(origin);
  };
}

function webOrigin(uri: string): string[] {
  const url = URL.parse(uri);
  return url?.protocol === "https:" || url?.protocol === "http:" ? [url.origin] : [];
}

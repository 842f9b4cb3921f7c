import type { Store } from "../domain/store/store.ts";

const FRESH_MS = 1_000;

/**
 * Whether some client signs people in at this origin. Kept for a second; for longer while storage is away, because this
 * must not be what fails then.
 */
export function openClientOrigins({ clients }: Store, now: () => number): (origin: string) => Promise<boolean> {
  let origins: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (origin) => {
    // Either way: a clock that is set back must not make an answer last (F14).
    if (Math.abs(now() - readAt) >= FRESH_MS) {
      const all = await clients.list().catch(() => null);
      if (all === null) return origins.has(origin);
      const active = all.filter((client) => client.disabledAt === null);
      origins = new Set(active.flatMap((client) => client.redirectUris).flatMap(webOrigin));
      readAt = now();
    }
    return origins.has(origin);
  };
}

function webOrigin(uri: string): string[] {
  const url = new URL(uri);
  return url.protocol === "https:" || url.protocol === "http:" ? [url.origin] : [];
}

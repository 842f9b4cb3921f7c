/** How long the origins of registered clients are believed; longer while they cannot be read, which must not fail the request. */
const FRESH_MS = 1_000;

export interface AllowedOriginsOptions {
  /** Origins that the operator allows beside those of registered clients. */
  readonly configured: readonly string[];
  listRedirectUris(): Promise<readonly string[]>;
  now(): number;
}

/**
 * Whose browser code may call the API: the origins that the operator named, and those of registered redirect URIs.
 * Bearer tokens are not sent by browsers on their own, so this guards against little; it is what keeps a stolen page
 * from reading answers.
 */
export function openAllowedOrigins({
  configured,
  listRedirectUris,
  now,
}: AllowedOriginsOptions): (origin: string) => Promise<boolean> {
  let known = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (origin) => {
    if (configured.includes(origin)) return true;
    // Either way: a clock that is set back must not make an answer last (F14).
    if (Math.abs(now() - readAt) >= FRESH_MS) {
      const uris = await listRedirectUris().catch(() => null);
      if (uris === null) return known.has(origin);
      const origins = uris.map((uri) => URL.parse(uri)?.origin ?? "null");
      known = new Set(origins);
      known.delete("null");
      readAt = now();
    }
    return known.has(origin);
  };
}

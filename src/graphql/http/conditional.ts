import { createHash } from "node:crypto";
import type { GraphQLResponse } from "./messages.ts";

/** How shared caches may keep an answer that is the same for everybody. */
export interface Keep {
  /** For how long they may use it without asking whether it is still right. */
  readonly seconds: number;
  /** By which they may be told to forget it. */
  readonly keys: readonly string[];
}

/** GraphQL-Cost adds to the answer. A cache tells apart by these what it keeps; CORS adds Origin. */
const VARY = "Accept, Authorization, GraphQL-Cost";

/**
 * Lets a client keep an answer to a GET request and ask only whether it is still right (RFC 9110 section 13.1.2).
 *
 * @param keep null where it is no other caller's business, so that only private caches may keep it
 */
export function conditional(
  response: GraphQLResponse,
  ifNoneMatch: string | undefined,
  keep: Keep | null,
): GraphQLResponse {
  const etag = `"${createHash("sha256").update(response.body).digest("base64url").slice(0, 22)}"`;
  const { "content-type": type, ...others } = response.headers;
  const rest = keep === null ? { ...others, "cache-control": "private, no-cache" } : shared(others, keep);
  const headers = { ...rest, etag, vary: VARY };
  if (matches(ifNoneMatch, etag)) return { status: 304, headers, body: "" };
  return { ...response, headers: type === undefined ? headers : { "content-type": type, ...headers } };
}

/**
 * Browsers ask each time, for nobody can make them forget. No `stale-while-revalidate`: `s-maxage` forbids shared caches to
 * use what is older (RFC 9111 section 5.2.2.10), and it would let browsers do so.
 */
function shared(headers: GraphQLResponse["headers"], { seconds, keys }: Keep): Record<string, string> {
  // Caches would show one caller's rate limit to others.
  const { ratelimit: _left, "ratelimit-policy": _policy, ...same } = headers;
  const control = seconds === 0 ? "public, no-cache" : `public, max-age=0, s-maxage=${seconds}`;
  if (keys.length === 0) return { ...same, "cache-control": control };
  // The same in the forms of Fastly and Varnish, and of Cloudflare.
  return { ...same, "cache-control": control, "surrogate-key": keys.join(" "), "cache-tag": keys.join(",") };
}

/** Weak comparison (RFC 9110 section 8.8.3.2): a proxy may have made the tag weak. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
}

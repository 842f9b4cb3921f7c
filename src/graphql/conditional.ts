import { createHash } from "node:crypto";
import type { GraphQLResponse } from "./handler.ts";

/**
 * Lets a client keep an answer to a GET request and ask only whether it is still right (RFC 9110 section 13.1.2).
 * What one token may see is no other caller's business, so only private caches may keep it.
 */
export function conditional(response: GraphQLResponse, ifNoneMatch: string | undefined): GraphQLResponse {
  const etag = `"${createHash("sha256").update(response.body).digest("base64url").slice(0, 22)}"`;
  const { "content-type": type, ...rest } = response.headers;
  const headers = { ...rest, etag, "cache-control": "private, no-cache", vary: "Accept, Authorization" };
  if (matches(ifNoneMatch, etag)) return { status: 304, headers, body: "" };
  return { ...response, headers: type === undefined ? headers : { "content-type": type, ...headers } };
}

/** Weak comparison (RFC 9110 section 8.8.3.2): a proxy may have made the tag weak. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
}

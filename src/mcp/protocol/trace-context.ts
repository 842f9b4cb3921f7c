import type { JsonObject } from "./service.ts";

const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** `traceparent` of `_meta` (W3C Trace Context, version 00); null where it is missing or malformed. */
export function readTraceparent(meta: JsonObject | undefined): string | null {
  const value = meta?.traceparent;
  return typeof value === "string" && TRACEPARENT.test(value) ? value : null;
}

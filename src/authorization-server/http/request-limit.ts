import { LRUCache } from "lru-cache";
import { networkOf } from "../../domain/network.ts";
import type { OpenBucket, OpenBuckets, Quota, TokenBucket } from "../../domain/token-bucket.ts";

/** The settings about limits; a point is a request, null is any number. */
export interface RequestLimitSettings {
  /** For each IPv4 address and each IPv6 network of 64 bits. */
  readonly RATE_LIMIT_OAUTH_ADDRESS: Quota | null;
  /** For each client that has proved who it is. */
  readonly RATE_LIMIT_OAUTH_CLIENT: Quota | null;
}

/** Counts requests. Each answers how many seconds to wait; 0 for a request that may go on. */
export interface RequestLimit {
  ofAddress(address: string): number;
  /** Only after authentication: otherwise anybody could spend a client's limit by its public id and lock it out. */
  ofClient(clientId: string): number;
}

/** How many are watched at the same time; who was quiet the longest is forgotten. */
const WATCHED = { maxSize: 50_000, sizeCalculation: () => 1 };

export function openRequestLimit(
  { RATE_LIMIT_OAUTH_ADDRESS: address, RATE_LIMIT_OAUTH_CLIENT: client }: RequestLimitSettings,
  { openBuckets, now }: { readonly openBuckets: OpenBuckets; readonly now: () => number },
): RequestLimit {
  const countOf = (kind: string, quota: Quota | null) =>
    quota === null ? () => 0 : openCount(openBuckets(kind, quota, now), now);
  const [ofAddress, ofClient] = [countOf("oauth-address", address), countOf("oauth-client", client)];
  return { ofAddress: (caller) => ofAddress(networkOf(caller)), ofClient };
}

function openCount(open: OpenBucket, now: () => number): (key: string) => number {
  const buckets = new LRUCache<string, TokenBucket>(WATCHED);
  return (key) => {
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = open(key);
      buckets.set(key, bucket);
    }
    bucket.fill(now());
    if (!bucket.has(1)) return Math.max(1, bucket.secondsUntil(1));
    bucket.take(1);
    return 0;
  };
}

import { LRUCache } from "lru-cache";
import { networkOf } from "../domain/network.ts";

/** A bucket that holds `points` requests and fills up evenly within `seconds`. */
interface RequestQuota {
  readonly points: number;
  readonly seconds: number;
}

export interface RequestLimits {
  /** Of each IPv4 address and each IPv6 network of 64 bits; null: any number. */
  readonly address: RequestQuota | null;
  /** Of each client that has proved who it is. */
  readonly client: RequestQuota | null;
}

/** Counts requests in memory of this process. Each answers how many seconds to wait; 0 for a request that may go on. */
export interface RequestLimit {
  ofAddress(address: string): number;
  /** Only after authentication: whoever can use up the share of a client by its public id can lock it out. */
  ofClient(clientId: string): number;
}

/** How many are watched at the same time; who was quiet the longest is forgotten. */
const WATCHED = { maxSize: 50_000, sizeCalculation: () => 1 };

export function openRequestLimit({ address, client }: RequestLimits, now: () => number): RequestLimit {
  const [ofAddress, ofClient] = [openBuckets(address, now), openBuckets(client, now)];
  return { ofAddress: (caller) => ofAddress(networkOf(caller)), ofClient };
}

function openBuckets(quota: RequestQuota | null, now: () => number): (key: string) => number {
  if (quota === null) return () => 0;
  const { points, seconds } = quota;
  const buckets = new LRUCache<string, { left: number; at: number }>(WATCHED);
  return (key) => {
    const at = now();
    const bucket = buckets.get(key) ?? { left: points, at };
    const passed = Math.max(0, at - bucket.at) / 1_000; // never negative: a clock that is set back takes nothing away
    bucket.left = Math.min(points, bucket.left + (passed * points) / seconds);
    bucket.at = at;
    buckets.set(key, bucket);
    if (bucket.left < 1) return Math.max(1, Math.ceil(((1 - bucket.left) * seconds) / points - 1e-6));
    bucket.left--;
    return 0;
  };
}

import { LRUCache } from "lru-cache";
import { AppError } from "../../domain/errors.ts";
import type { OpenBuckets, TokenBucket } from "../../domain/token-bucket.ts";
import type { Viewer } from "../../domain/viewer.ts";

/** Pairs of person and client that are counted at the same time; the one that was quiet for longest is forgotten. */
const WATCHED = { maxSize: 50_000, sizeCalculation: () => 1 };
const SECONDS = 3_600;

/** Changes that an agent may make for a person within an hour. */
export interface WriteQuota {
  left(viewer: Viewer): number;
  /** Counts one change. @throws as `assertLeft` */
  take(viewer: Viewer): void;
  /** @throws AppError RATE_LIMITED with `retryAfter`; FORBIDDEN where agents change nothing */
  assertLeft(viewer: Viewer): void;
}

/** @param points changes in an hour; 0 for none */
export function openWriteQuota(points: number, openBuckets: OpenBuckets, now: () => number): WriteQuota {
  if (points === 0) return NO_WRITES;
  const open = openBuckets("agent writes", { points, seconds: SECONDS }, now);
  const known = new LRUCache<string, TokenBucket>(WATCHED);

  function bucketOf({ clientId, userId }: Viewer): TokenBucket {
    const key = JSON.stringify([clientId, userId]);
    let bucket = known.get(key);
    if (bucket === undefined) {
      bucket = open(key);
      known.set(key, bucket);
    }
    bucket.fill(now());
    return bucket;
  }

  function bucketWithOne(viewer: Viewer): TokenBucket {
    const bucket = bucketOf(viewer);
    if (bucket.has(1)) return bucket;
    const retryAfter = Math.max(1, bucket.secondsUntil(1));
    const message = `This program may make ${points} changes per hour for this person, and has made them.`;
    throw new AppError("RATE_LIMITED", message, { limit: points, retryAfter });
  }

  return {
    left: (viewer) => Math.max(0, Math.floor(bucketOf(viewer).points)),
    take: (viewer) => bucketWithOne(viewer).take(1),
    assertLeft: (viewer) => void bucketWithOne(viewer),
  };
}

const NO_WRITES: WriteQuota = { left: () => 0, take: refuse, assertLeft: refuse };

function refuse(): never {
  throw new AppError("FORBIDDEN", "This server lets agents change nothing.");
}

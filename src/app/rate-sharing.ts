import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { openChore } from "../background/chore.ts";
import type { RateLimitStore, TakenPoints } from "../domain/store/rate-limits.ts";
import { type OpenBuckets, type Quota, TokenBucket } from "../domain/token-bucket.ts";
import type { Log } from "../observe/log.ts";
import { openSigner } from "../secrets/seal.ts";

/** Milliseconds between two batches. */
const EVERY = 1_000;
const SWEEP_EVERY = 60_000;
/** Milliseconds without sharing after which the buckets have refilled in part. */
const BREAK = 5_000;
/** Milliseconds that a batch may need to arrive. Reads look back that far, because a batch has the time of its writing. */
const DELAY = 15_000;
/** Milliseconds for which a batch is of use, however long the window of a limit. */
const MEMORY = 3_600_000;
/** Processes share their use of a bucket once it reaches this part of it, and at least one point. */
const NOTABLE = 0.01;
/** Buckets in one batch; the others wait for the next. */
const AT_ONCE = 5_000;
/** Limit: buckets with points to share, and buckets that are known by their hashes. */
const WATCHED = 100_000;

export interface RateSharingOptions {
  readonly store: RateLimitStore;
  /** The installation's: buckets are named by hashes with a key of it. */
  readonly secret: Uint8Array;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

export interface RateSharing {
  readonly openBuckets: OpenBuckets;
  /** Learns what was taken lately, such as before a restart, and from then on tells and hears. To be called when all kinds are open. */
  begin(): Promise<void>;
  /** Tells what is left to be told. */
  close(): Promise<void>;
}

/**
 * Limits that several processes keep together. Each decides alone, from memory, and once a second shares with the others in
 * the store the points that it took, and takes theirs from its own buckets. If several together took too many, the debt
 * is refilled first. While the store is slow or unreachable, each continues alone.
 */
export function openRateSharing({ store, secret, now, log }: RateSharingOptions): RateSharing {
  const { sign } = openSigner(secret, "buckets of rate limits");
  const process = randomUUID();
  const quotas = new Map<string, Quota>();
  const known = new LRUCache<string, SharedBucket>({ maxSize: WATCHED, sizeCalculation: () => 1 });
  const untold = new Set<SharedBucket>();
  /** By process: its last batch, and when that was heard (`performance.now()`, as all times here but those of buckets). */
  const heard = new Map<string, { number: number; at: number }>();
  let number = 1;
  let toldAt = performance.now();
  let heardAt: number | null = null;
  let sweptAt = performance.now();
  let works = false;
  let endChore: (() => Promise<void>) | null = null;

  const openBuckets: OpenBuckets = (kind, quota) => {
    quotas.set(kind, quota);
    return (key) => bucketOf(`${kind}:${sign(`${kind} ${key}`).slice(0, 22)}`, quota);
  };

  function bucketOf(id: string, quota: Quota): SharedBucket {
    let bucket = known.get(id);
    if (bucket === undefined) {
      bucket = new SharedBucket(id, quota, now(), untold);
      known.set(id, bucket);
    }
    return bucket;
  }

  async function hear(): Promise<void> {
    const began = performance.now();
    const lookBack = heardAt === null ? memory() : Math.min(memory(), began - heardAt + DELAY);
    const numbers = new Map([...heard].map(([other, last]) => [other, last.number]));
    const batches = await store.hear(process, numbers, Math.ceil(lookBack));
    const isLate = heardAt === null || began - heardAt > BREAK;
    heardAt = began;
    for (const { process: other, number } of batches)
      heard.set(other, { number: Math.max(number, heard.get(other)?.number ?? 0), at: began });
    // Their batches are too old to matter by that time.
    for (const [other, { at }] of heard) if (began - at > 2 * DELAY) heard.delete(other);
    for (const [id, points] of isLate ? missingAfter(batches) : batches.flatMap(({ taken }) => Object.entries(taken))) {
      const quota = quotaOf(id);
      if (quota === undefined) continue;
      const bucket = bucketOf(id, quota);
      bucket.fill(now());
      bucket.owe(points);
    }
  }

  /** Points of consecutive batches that the buckets have not refilled yet. */
  function missingAfter(batches: readonly TakenPoints[]): [id: string, points: number][] {
    const end = now();
    const buckets = new Map<string, TokenBucket>();
    for (const { taken, age } of batches) {
      for (const [id, points] of Object.entries(taken)) {
        const quota = quotaOf(id);
        if (quota === undefined) continue;
        const bucket = buckets.get(id) ?? new TokenBucket(quota, end - age);
        buckets.set(id, bucket);
        bucket.fill(end - age);
        bucket.owe(points);
      }
    }
    return [...buckets].map(([id, bucket]) => {
      bucket.fill(end);
      return [id, bucket.quota.points - bucket.points];
    });
  }

  /** Undefined for a kind that another version of the program has. */
  function quotaOf(id: string): Quota | undefined {
    return quotas.get(id.slice(0, id.indexOf(":")));
  }

  async function tell(): Promise<void> {
    const began = performance.now();
    const isLate = began - toldAt > BREAK;
    const told = new Map<SharedBucket, number>();
    for (const bucket of untold) {
      if (told.size === AT_ONCE) break;
      if (isLate) bucket.forgive(now());
      if (bucket.isNotable) told.set(bucket, bucket.untold);
      else if (bucket.isForgotten(now())) bucket.settle(bucket.untold);
    }
    if (told.size > 0) {
      const taken = Object.fromEntries([...told].map(([{ id }, points]) => [id, points]));
      await store.tell(process, number, taken);
      number++;
      for (const [bucket, points] of told) {
        bucket.settle(points);
        known.set(bucket.id, bucket); // is in use
      }
    }
    toldAt = began;
  }

  async function sweep(): Promise<void> {
    if (performance.now() - sweptAt < SWEEP_EVERY) return;
    await store.sweep(memory() + DELAY);
    sweptAt = performance.now();
  }

  function memory(): number {
    return Math.min(MEMORY, Math.max(...[...quotas.values()].map(({ seconds }) => seconds * 1_000)));
  }

  async function share(): Promise<number> {
    works = false;
    await hear();
    await tell();
    await sweep();
    works = true;
    return 0;
  }

  return {
    openBuckets,
    async begin() {
      if (quotas.size === 0) return;
      await share().catch(() => {}); // the next time it is told of
      endChore = openChore({ every: EVERY, step: share, failing: "each process counts rate limits for itself", log });
    },
    async close() {
      await endChore?.();
      if (works) await tell().catch(() => {});
    },
  };
}

/** Remembers what was taken from it here that the others have not been told. */
class SharedBucket extends TokenBucket {
  readonly id: string;
  readonly #waiting: Set<SharedBucket>;
  #untold = 0;
  /** When the first of it was taken. */
  #since = 0;

  constructor(id: string, quota: Quota, now: number, waiting: Set<SharedBucket>) {
    super(quota, now);
    this.id = id;
    this.#waiting = waiting;
  }

  override take(points: number): void {
    super.take(points);
    if (this.#untold === 0) {
      if (points === 0 || this.#waiting.size >= WATCHED) return;
      this.#since = this.filledAt;
      this.#waiting.add(this);
    }
    this.#untold += points;
  }

  get untold(): number {
    return this.#untold;
  }

  get isNotable(): boolean {
    return this.#untold > 0 && this.#untold >= this.quota.points * NOTABLE;
  }

  /** Whether all of it has come back by now, by whatever else was taken. */
  isForgotten(now: number): boolean {
    return now - this.#since > this.quota.seconds * 1_000;
  }

  /** After a break: what has come back need not be told. */
  forgive(now: number): void {
    this.fill(now);
    this.#untold = Math.min(this.#untold, this.quota.points - this.points);
  }

  settle(points: number): void {
    this.#untold -= points;
    this.#waiting.delete(this);
    if (this.#untold === 0) return;
    this.#since = this.filledAt;
    this.#waiting.add(this); // behind the others
  }
}

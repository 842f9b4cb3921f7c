import { LRUCache } from "lru-cache";
import { AppError } from "../domain/errors.ts";

/** A bucket that holds `points` and fills up evenly within `seconds`. */
export interface Quota {
  readonly points: number;
  readonly seconds: number;
}

export interface RateLimitOptions {
  /** For each access token. */
  readonly token: Quota;
  /** For each IPv4 address and each IPv6 network of 64 bits. */
  readonly address: Quota;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
}

/** Who pays; null where there is no such thing, as for a caller without a token. */
export interface Payer {
  readonly token: string | null;
  readonly address: string | null;
}

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
export type RateLimitHeaders = Readonly<Record<"ratelimit" | "ratelimit-policy", string>>;

/** How many tokens and how many addresses are watched at the same time; who was quiet the longest is forgotten. */
const WATCHED = 50_000;

interface Bucket {
  points: number;
  /** When `points` was right, in milliseconds. */
  at: number;
}

/** Points per token and per address, in memory of this process: workers each give their own share. */
export class RateLimiter {
  readonly #policies: readonly { name: keyof Payer; quota: Quota; buckets: LRUCache<string, Bucket> }[];
  readonly #policyHeader: string;
  readonly #now: () => number;

  constructor({ token, address, now = Date.now }: RateLimitOptions) {
    this.#policies = [
      { name: "token", quota: token, buckets: new LRUCache({ max: WATCHED }) },
      { name: "address", quota: address, buckets: new LRUCache({ max: WATCHED }) },
    ];
    this.#policyHeader = this.#policies
      .map(({ name, quota }) => `"${name}";q=${quota.points};w=${quota.seconds};qu="points"`)
      .join(", ");
    this.#now = now;
  }

  /** Takes the points from every bucket, or from none. @throws AppError RATE_LIMITED with `retryAfter` */
  charge(payer: Payer, points: number): void {
    const now = this.#now();
    for (const { name, quota, buckets } of this.#policies) {
      const key = keyOf(payer, name);
      if (key === null) continue;
      const { points: left } = filled(buckets, key, quota, now);
      if (left >= points) continue;
      const retryAfter = Math.ceil(((Math.min(points, quota.points) - left) * quota.seconds) / quota.points);
      throw new AppError("RATE_LIMITED", `Too much was asked for: this request costs ${points} points.`, {
        cost: points,
        limit: quota.points,
        retryAfter: Math.max(1, retryAfter),
      });
    }
    this.#take(payer, points, now);
  }

  /** Takes the points, or what is left of them: for requests that failed before their cost was known. */
  chargeAtMost(payer: Payer, points: number): void {
    this.#take(payer, points, this.#now());
  }

  headers(payer: Payer): RateLimitHeaders {
    const now = this.#now();
    let state = "";
    for (const { name, quota, buckets } of this.#policies) {
      const key = keyOf(payer, name);
      if (key === null) continue;
      const { points } = filled(buckets, key, quota, now);
      const untilFull = Math.ceil(((quota.points - points) * quota.seconds) / quota.points);
      state += `${state === "" ? "" : ", "}"${name}";r=${Math.floor(points)};t=${untilFull}`;
    }
    return { ratelimit: state, "ratelimit-policy": this.#policyHeader };
  }

  #take(payer: Payer, points: number, now: number): void {
    for (const { name, quota, buckets } of this.#policies) {
      const key = keyOf(payer, name);
      if (key === null) continue;
      const bucket = filled(buckets, key, quota, now);
      bucket.points = Math.max(0, bucket.points - points);
    }
  }
}

function filled(buckets: LRUCache<string, Bucket>, key: string, quota: Quota, now: number): Bucket {
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    bucket = { points: quota.points, at: now };
    buckets.set(key, bucket);
  } else if (now > bucket.at) {
    const gained = ((now - bucket.at) / 1_000) * (quota.points / quota.seconds);
    bucket.points = Math.min(quota.points, bucket.points + gained);
    bucket.at = now;
  }
  return bucket;
}

function keyOf(payer: Payer, name: keyof Payer): string | null {
  const key = payer[name];
  return key !== null && name === "address" ? networkOf(key) : key;
}

/** One household or server has a whole IPv6 /64: its addresses count as one. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const last = tail === "" ? [] : tail.split(":");
    while (groups.length + last.length < 8) groups.push("0");
    groups.push(...last);
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}

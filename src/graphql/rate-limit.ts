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

/**
 * Who pays; null where there is no such thing. Only a token that has been found valid may stand here: there is no end
 * of others, and each would be remembered.
 */
export interface Payer {
  readonly token: string | null;
  /** As `networkOf` gives it. */
  readonly address: string | null;
}

export type Points = Readonly<Record<keyof Payer, number>>;

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
export type RateLimitHeaders = Readonly<Partial<Record<"ratelimit" | "ratelimit-policy", string>>>;

/** How many tokens and how many addresses are watched at the same time; who was quiet the longest is forgotten. */
const WATCHED = 50_000;

interface Bucket {
  points: number;
  /** When `points` was right, in milliseconds. */
  at: number;
}

type Buckets = LRUCache<string, Bucket>;

/** Points per token and per address, in memory of this process: workers each give their own share. */
export class RateLimiter {
  readonly #policies: readonly { name: keyof Payer; quota: Quota; buckets: Buckets }[];
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

  /** Takes the points from both buckets, or from none. @throws AppError RATE_LIMITED with `retryAfter` */
  charge(payer: Payer, points: Points): void {
    const now = this.#now();
    for (const { name, quota, buckets } of this.#policies) {
      const bucket = bucketOf(buckets, payer[name], quota, now);
      if (bucket === null || bucket.points >= points[name]) continue;
      const missing = Math.min(points[name], quota.points) - bucket.points;
      throw new AppError("RATE_LIMITED", `The ${name} has used up its points for now.`, {
        cost: points[name],
        limit: quota.points,
        retryAfter: Math.max(1, Math.ceil((missing * quota.seconds) / quota.points)),
      });
    }
    for (const { name, quota, buckets } of this.#policies) {
      const bucket = bucketOf(buckets, payer[name], quota, now);
      if (bucket !== null) bucket.points -= points[name];
    }
  }

  /** What every answer tells; empty for a payer without a name. */
  headers(payer: Payer): RateLimitHeaders {
    const now = this.#now();
    let state = "";
    for (const { name, quota, buckets } of this.#policies) {
      const bucket = bucketOf(buckets, payer[name], quota, now);
      if (bucket === null) continue;
      const untilFull = Math.ceil(((quota.points - bucket.points) * quota.seconds) / quota.points);
      state += `${state === "" ? "" : ", "}"${name}";r=${Math.floor(bucket.points)};t=${untilFull}`;
    }
    return state === "" ? {} : { ratelimit: state, "ratelimit-policy": this.#policyHeader };
  }
}

function bucketOf(buckets: Buckets, key: string | null, quota: Quota, now: number): Bucket | null {
  if (key === null) return null;
  const bucket = buckets.get(key);
  if (bucket === undefined) {
    const full = { points: quota.points, at: now };
    buckets.set(key, full);
    return full;
  }
  if (now > bucket.at) {
    const gained = ((now - bucket.at) / 1_000) * (quota.points / quota.seconds);
    bucket.points = Math.min(quota.points, bucket.points + gained);
    bucket.at = now;
  }
  return bucket;
}

/** One household or server has a whole IPv6 /64: its addresses count as one. */
export function networkOf(address: string): string {
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

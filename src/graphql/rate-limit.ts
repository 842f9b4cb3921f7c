import { LRUCache } from "lru-cache";
import { AppError } from "../domain/errors.ts";
import { networkOf } from "../domain/network.ts";

/** A bucket that holds `points` and fills up evenly within `seconds`. */
interface Quota {
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

/** What a caller has left. */
export interface Allowance {
  /** Points that the bucket holds when it is full. */
  readonly limit: number;
  readonly remaining: number;
  /** When it is full again if nothing more is asked: RFC 3339, UTC. */
  readonly resetAt: string;
}

/** How many tokens and how many addresses are watched at the same time; who was quiet the longest is forgotten. */
const WATCHED = { maxSize: 50_000, sizeCalculation: () => 1 }; // `max` would make room for all of them at the start

/** Points per token and per address, in memory of this process: workers each give their own share. */
export class RateLimiter {
  readonly policy: string;
  readonly now: () => number;
  readonly #options: RateLimitOptions;
  readonly #tokens = new LRUCache<string, Bucket>(WATCHED);
  readonly #addresses = new LRUCache<string, Bucket>(WATCHED);

  constructor(options: RateLimitOptions) {
    const { token, address, now = Date.now } = options;
    this.#options = options;
    this.policy = `${policy("token", token)}, ${policy("address", address)}`;
    this.now = now;
  }

  /** Who pays for a request; null for an address that is unknown. */
  account(address: string | null): Account {
    return new Account(this, address === null ? null : this.#bucket(this.#addresses, networkOf(address), "address"));
  }

  token(token: string): Bucket {
    return this.#bucket(this.#tokens, token, "token");
  }

  #bucket(buckets: LRUCache<string, Bucket>, key: string, name: "token" | "address"): Bucket {
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = new Bucket(name, this.#options[name], this.now());
      buckets.set(key, bucket);
    }
    return bucket;
  }
}

/** The buckets of one request. */
export class Account {
  readonly #limiter: RateLimiter;
  readonly #address: Bucket | null;
  readonly #now: number;
  #token: Bucket | null = null;

  constructor(limiter: RateLimiter, address: Bucket | null) {
    this.#limiter = limiter;
    this.#address = address;
    this.#now = limiter.now();
    address?.fill(this.#now);
  }

  /** Only for a token that has been found valid: there is no end of others, and each would be remembered. */
  use(token: string): void {
    this.#token = this.#limiter.token(token);
    this.#token.fill(this.#now);
  }

  /** Takes the points from both buckets, or from none. @throws AppError RATE_LIMITED with `retryAfter` */
  charge(token: number, address: number): void {
    this.#token?.assertHas(token);
    this.#address?.assertHas(address);
    this.#token?.take(token);
    this.#address?.take(address);
  }

  /** Of the token, or else of the address; null where neither is known. */
  get allowance(): Allowance | null {
    return (this.#token ?? this.#address)?.allowance ?? null;
  }

  /** Adds `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10); nothing where nobody is known. */
  tell(headers: Record<string, string>): void {
    if (this.#token === null && this.#address === null) return;
    const token = this.#token?.state ?? "";
    const address = this.#address?.state ?? "";
    headers.ratelimit = token === "" || address === "" ? token + address : `${token}, ${address}`;
    headers["ratelimit-policy"] = this.#limiter.policy;
  }
}

class Bucket {
  readonly #name: string;
  readonly #quota: Quota;
  /** Points that come back in a millisecond. */
  readonly #speed: number;
  #points: number;
  /** When `#points` was right, in milliseconds. */
  #at: number;
  #left = Number.NaN;
  #seconds = Number.NaN;
  #state = "";

  constructor(name: string, quota: Quota, now: number) {
    this.#name = name;
    this.#quota = quota;
    this.#speed = quota.points / quota.seconds / 1_000;
    this.#points = quota.points;
    this.#at = now;
  }

  fill(now: number): void {
    if (now <= this.#at) return;
    this.#points = Math.min(this.#quota.points, this.#points + (now - this.#at) * this.#speed);
    this.#at = now;
  }

  assertHas(points: number): void {
    if (this.#points >= points) return;
    const wanted = Math.min(points, this.#quota.points);
    throw new AppError("RATE_LIMITED", `The ${this.#name} has used up its points for now.`, {
      cost: points,
      limit: this.#quota.points,
      retryAfter: Math.max(1, this.#secondsUntil(wanted)),
    });
  }

  take(points: number): void {
    this.#points -= points;
  }

  get allowance(): Allowance {
    const { points: limit } = this.#quota;
    const resetAt = new Date(Math.ceil(this.#at + (limit - this.#points) / this.#speed)).toISOString();
    return { limit, remaining: Math.max(0, Math.floor(this.#points)), resetAt };
  }

  /** What is left, and the seconds until the bucket is full. Written anew only when that has changed. */
  get state(): string {
    const left = Math.floor(this.#points);
    const seconds = this.#secondsUntil(this.#quota.points);
    if (left !== this.#left || seconds !== this.#seconds) {
      this.#left = left;
      this.#seconds = seconds;
      this.#state = `"${this.#name}";r=${left};t=${seconds}`;
    }
    return this.#state;
  }

  #secondsUntil(points: number): number {
    return Math.ceil(((points - this.#points) * this.#quota.seconds) / this.#quota.points);
  }
}

function policy(name: string, { points, seconds }: Quota): string {
  return `"${name}";q=${points};w=${seconds};qu="points"`;
}

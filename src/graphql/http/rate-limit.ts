import { ClockCache, type ClockEntry } from "../../domain/clock-cache.ts";
import { AppError } from "../../domain/errors.ts";
import { networkOf } from "../../domain/network.ts";
import type { Allowance, OpenBucket, OpenBuckets, Quota, TokenBucket } from "../../domain/token-bucket.ts";

export interface RateLimitOptions {
  /** For each access token. */
  readonly token: Quota;
  /** For each IPv4 address and each IPv6 network of 64 bits. */
  readonly address: Quota;
  /** Opens buckets. */
  readonly openBuckets: OpenBuckets;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** How many tokens and how many addresses are watched at the same time; who has been quiet is forgotten first. */
const WATCHED = 50_000;

/** Points per token and per address. */
export class RateLimiter {
  readonly policy: string;
  readonly now: () => number;
  readonly #tokens: Meters;
  readonly #addresses: Meters;
  /** The field that came last. */
  #last: { readonly authorization: string; readonly meter: Meter } | null = null;

  constructor({ token, address, openBuckets, now }: RateLimitOptions) {
    this.policy = `${policy("token", token)}, ${policy("address", address)}`;
    this.now = now;
    this.#tokens = new Meters("token", openBuckets("token", token, now));
    this.#addresses = new Meters("address", openBuckets("address", address, now));
  }

  /** The account that pays for a request. The IP address is null if unknown. */
  account(address: string | null): Account {
    return new Account(this, address === null ? null : this.#addresses.of(networkOf(address)));
  }

  /** @param authorization the field of a request, with a token that has been found valid */
  token(authorization: string): Meter {
    if (authorization === this.#last?.authorization) {
      const { meter } = this.#last;
      meter.isUsed = true;
      return meter;
    }
    // Without its scheme, which may be written in many ways.
    const field = authorization.trimEnd();
    const meter = this.#tokens.of(field.slice(field.lastIndexOf(" ") + 1));
    this.#last = { authorization, meter };
    return meter;
  }
}

/** @returns null where the settings have no limits */
export function openRateLimiter(
  {
    RATE_LIMIT_TOKEN: token,
    RATE_LIMIT_ADDRESS: address,
  }: Readonly<Record<"RATE_LIMIT_TOKEN" | "RATE_LIMIT_ADDRESS", Quota | null>>,
  { openBuckets, now }: Pick<RateLimitOptions, "openBuckets" | "now">,
): RateLimiter | null {
  return token === null || address === null ? null : new RateLimiter({ token, address, openBuckets, now });
}

class Meters {
  readonly #name: string;
  readonly #open: OpenBucket;
  readonly #known = new ClockCache<Meter>(WATCHED, () => 1);

  constructor(name: string, open: OpenBucket) {
    this.#name = name;
    this.#open = open;
  }

  of(key: string): Meter {
    let meter = this.#known.find(key);
    if (meter === undefined) {
      meter = new Meter(this.#name, this.#open(key));
      this.#known.keep(key, meter);
    }
    return meter;
  }
}

/** The buckets of one request. */
export class Account {
  readonly #limiter: RateLimiter;
  readonly #address: Meter | null;
  readonly #now: number;
  #token: Meter | null = null;

  constructor(limiter: RateLimiter, address: Meter | null) {
    this.#limiter = limiter;
    this.#address = address;
    this.#now = limiter.now();
    address?.bucket.fill(this.#now);
  }

  /** Only for a token that has been found valid: there is no end of others, and each would be remembered. */
  use(authorization: string): void {
    this.#token = this.#limiter.token(authorization);
    this.#token.bucket.fill(this.#now);
  }

  /** Takes the points from both buckets, or from none. @throws AppError RATE_LIMITED with `retryAfter` */
  charge(token: number, address: number): void {
    this.#token?.assertHas(token);
    this.#address?.assertHas(address);
    this.#token?.bucket.take(token);
    this.#address?.bucket.take(address);
  }

  /** Points of the token, or without a token of the IP address; null if neither is known. */
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

/** A bucket with its name, and what is told of it. */
class Meter implements ClockEntry {
  isUsed = false;
  readonly bucket: TokenBucket;
  readonly #name: string;
  #left = Number.NaN;
  #seconds = Number.NaN;
  #state = "";

  constructor(name: string, bucket: TokenBucket) {
    this.#name = name;
    this.bucket = bucket;
  }

  assertHas(points: number): void {
    const { bucket } = this;
    if (bucket.has(points)) return;
    const { points: limit } = bucket.quota;
    throw new AppError("RATE_LIMITED", `The ${this.#name} has used up its points for now.`, {
      cost: points,
      limit,
      retryAfter: Math.max(1, bucket.secondsUntil(Math.min(points, limit))),
    });
  }

  get allowance(): Allowance {
    const { bucket } = this;
    const resetAt = new Date(Math.ceil(bucket.fullAt)).toISOString();
    return { limit: bucket.quota.points, remaining: Math.max(0, Math.floor(bucket.points)), resetAt };
  }

  /** Points left, and seconds until the bucket is full. The text is rebuilt only after a change. */
  get state(): string {
    const { bucket } = this;
    const left = Math.max(0, Math.floor(bucket.points));
    const seconds = bucket.secondsUntil(bucket.quota.points);
    if (left !== this.#left || seconds !== this.#seconds) {
      this.#left = left;
      this.#seconds = seconds;
      this.#state = `"${this.#name}";r=${left};t=${seconds}`;
    }
    return this.#state;
  }
}

function policy(name: string, { points, seconds }: Quota): string {
  return `"${name}";q=${points};w=${seconds};qu="points"`;
}

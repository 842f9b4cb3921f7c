import { LRUCache } from "lru-cache";
import { AppError } from "../domain/errors.ts";

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

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
export type RateLimitHeaders = Readonly<Partial<Record<"ratelimit" | "ratelimit-policy", string>>>;

/** How many tokens and how many addresses are watched at the same time; who was quiet the longest is forgotten. */
const WATCHED = 50_000;

/** Points per token and per address, in memory of this process: workers each give their own share. */
export class RateLimiter {
  readonly #options: RateLimitOptions;
  readonly #tokens = new LRUCache<string, Bucket>({ max: WATCHED });
  readonly #addresses = new LRUCache<string, Bucket>({ max: WATCHED });
  readonly #policy: string;
  readonly #now: () => number;

  constructor(options: RateLimitOptions) {
    const { token, address, now = Date.now } = options;
    this.#options = options;
    this.#policy = `${policy("token", token)}, ${policy("address", address)}`;
    this.#now = now;
  }

  /** Who pays for a request; null for an address that is unknown. */
  account(address: string | null): Account {
    const bucket = address === null ? null : this.#bucket(this.#addresses, networkOf(address), "address");
    return new Account(bucket, (token) => this.#bucket(this.#tokens, token, "token"), this.#policy, this.#now());
  }

  #bucket(buckets: LRUCache<string, Bucket>, key: string, name: "token" | "address"): Bucket {
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = new Bucket(name, this.#options[name], this.#now());
      buckets.set(key, bucket);
    }
    return bucket;
  }
}

/** The buckets of one request. */
export class Account {
  readonly #address: Bucket | null;
  readonly #tokenBucket: (token: string) => Bucket;
  readonly #policy: string;
  readonly #now: number;
  #token: Bucket | null = null;

  constructor(address: Bucket | null, tokenBucket: (token: string) => Bucket, policy: string, now: number) {
    this.#address = address;
    this.#tokenBucket = tokenBucket;
    this.#policy = policy;
    this.#now = now;
    address?.fill(now);
  }

  /** Only for a token that has been found valid: there is no end of others, and each would be remembered. */
  use(token: string): void {
    this.#token = this.#tokenBucket(token);
    this.#token.fill(this.#now);
  }

  /** Takes the points from both buckets, or from none. @throws AppError RATE_LIMITED with `retryAfter` */
  charge(points: { readonly token: number; readonly address: number }): void {
    this.#token?.assertHas(points.token);
    this.#address?.assertHas(points.address);
    this.#token?.take(points.token);
    this.#address?.take(points.address);
  }

  /** What every answer tells; nothing where nobody is known. */
  headers(): RateLimitHeaders {
    const states = [this.#token, this.#address].filter((bucket) => bucket !== null);
    if (states.length === 0) return {};
    return { ratelimit: states.map((bucket) => bucket.state).join(", "), "ratelimit-policy": this.#policy };
  }
}

class Bucket {
  readonly #name: string;
  readonly #quota: Quota;
  #points: number;
  /** When `#points` was right, in milliseconds. */
  #at: number;

  constructor(name: string, quota: Quota, now: number) {
    this.#name = name;
    this.#quota = quota;
    this.#points = quota.points;
    this.#at = now;
  }

  fill(now: number): void {
    if (now <= this.#at) return;
    const gained = ((now - this.#at) / 1_000) * (this.#quota.points / this.#quota.seconds);
    this.#points = Math.min(this.#quota.points, this.#points + gained);
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

  /** What is left, and the seconds until the bucket is full. */
  get state(): string {
    return `"${this.#name}";r=${Math.floor(this.#points)};t=${this.#secondsUntil(this.#quota.points)}`;
  }

  #secondsUntil(points: number): number {
    return Math.ceil(((points - this.#points) * this.#quota.seconds) / this.#quota.points);
  }
}

function policy(name: string, { points, seconds }: Quota): string {
  return `"${name}";q=${points};w=${seconds};qu="points"`;
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

/** A bucket that holds `points` and fills up evenly within `seconds`. */
export interface Quota {
  readonly points: number;
  readonly seconds: number;
}

/** Gives the bucket of a key, such as an address, that is not at hand: full, but for what others took from it. */
export type OpenBucket = (key: string) => TokenBucket;

/**
 * Opens the buckets of one kind.
 *
 * @param kind the same in every process, and no other's
 * @param now Unix time in milliseconds
 */
export type OpenBuckets = (kind: string, quota: Quota, now: () => number) => OpenBucket;

/** Buckets that no other process knows of. */
export const ownBuckets: OpenBuckets = (_kind, quota, now) => () => new TokenBucket(quota, now());

/** Milliseconds by which time may differ from what it was, because requests overtake one another; beyond, a clock was set. */
const DISORDER = 60_000;
/** Rounding error of sums, in points and in seconds. */
const ROUNDING = 1e-6;

/** Counts what somebody may still have. Times are Unix time in milliseconds. */
export class TokenBucket {
  readonly quota: Quota;
  /** Points that come back in a millisecond. */
  readonly #speed: number;
  #points: number;
  /** When `#points` was right. */
  #at: number;

  constructor(quota: Quota, now: number) {
    this.quota = quota;
    this.#speed = quota.points / quota.seconds / 1_000;
    this.#points = quota.points;
    this.#at = now;
  }

  /** Points at the latest `fill`, with fractions; below zero if others took more than there was. */
  get points(): number {
    return this.#points;
  }

  /** The latest `fill`. */
  get filledAt(): number {
    return this.#at;
  }

  /** When it is full again if nothing more is taken. */
  get fullAt(): number {
    return this.#at + (this.quota.points - this.#points) / this.#speed;
  }

  /** Adds what has come back. A clock that is set back takes nothing away, and stops nothing from coming back. */
  fill(now: number): void {
    if (now > this.#at) {
      this.#points = Math.min(this.quota.points, this.#points + (now - this.#at) * this.#speed);
      this.#at = now;
    } else if (now < this.#at - DISORDER) {
      this.#at = now;
    }
  }

  has(points: number): boolean {
    return this.#points >= points - ROUNDING;
  }

  /** Takes points, at most as many as `has` allows: callers ask before. */
  take(points: number): void {
    this.#points -= points;
  }

  /** Takes points that others have spent, even below zero. The debt is refilled first. */
  owe(points: number): void {
    this.#points -= points;
  }

  /** Whole seconds until it has the points, from the latest `fill` on; 0 or less when it has more. */
  secondsUntil(points: number): number {
    return Math.ceil(((points - this.#points) * this.quota.seconds) / this.quota.points - ROUNDING);
  }
}

/** Points that a caller has left. */
export interface Allowance {
  /** Points that the bucket holds when it is full. */
  readonly limit: number;
  readonly remaining: number;
  /** When it is full again if nothing more is asked: RFC 3339, UTC. */
  readonly resetAt: string;
}

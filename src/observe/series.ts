import { type ExponentialAmount, ExponentialCounts } from "./exponential-counts.ts";

/** The latest value of a bucket that was measured within a trace (OpenMetrics 1.0 section 4.2.5.6). */
export interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  /** Unix time in seconds. */
  readonly at: number;
}

/** Counts of a series since it was last taken: numbers alone, so that they can be sent to another process. */
export type Amount =
  | number
  | {
      readonly sum: number;
      readonly counts: readonly (readonly [bucket: number, count: number])[];
      readonly exemplars: readonly (readonly [bucket: number, exemplar: Exemplar])[];
      /** Missing where only explicit buckets are counted. */
      readonly exponential?: ExponentialAmount;
    };

/** Told of a series that counts for the first time since its amount was taken. */
export type NoteChange = (series: Series) => void;

export type Series = Counter | Histogram;

/** One line of a counter. Whoever counts often keeps it, so that nothing is looked up. */
export class Counter {
  readonly labels: readonly string[];
  value = 0;
  #taken = 0;
  #isNoted = false;
  readonly #note: NoteChange;

  constructor(labels: readonly string[], note: NoteChange) {
    this.labels = labels;
    this.#note = note;
  }

  add(amount = 1): void {
    this.value += amount;
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#note(this);
  }

  /** For a number that something else counts. It never falls. */
  reach(value: number): void {
    if (value > this.value) this.add(value - this.value);
  }

  take(): Amount {
    const amount = this.value - this.#taken;
    this.#taken = this.value;
    this.#isNoted = false;
    return amount;
  }

  give(amount: Amount): void {
    if (typeof amount === "number") this.add(amount);
  }
}

/** One combination of labels of a histogram. */
export class Histogram {
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  /** Values by bucket; the last one has no bound. */
  readonly counts: Float64Array;
  sum = 0;
  /** By bucket; null without traces. */
  exemplars: Exemplar[] | null = null;
  /** The same values by exponential buckets; null where nobody asks for those. */
  readonly exponential: ExponentialCounts | null;
  readonly #taken: Float64Array;
  #takenSum = 0;
  #isNoted = false;
  readonly #note: NoteChange;

  constructor(labels: readonly string[], bounds: readonly number[], note: NoteChange, isExponential = false) {
    this.labels = labels;
    this.bounds = bounds;
    this.exponential = isExponential ? new ExponentialCounts() : null;
    this.counts = new Float64Array(bounds.length + 1);
    this.#taken = new Float64Array(bounds.length + 1);
    this.#note = note;
  }

  /** @param traceId of the sampled trace in which it was measured */
  observe(value: number, traceId?: string): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    counts[bucket] = (counts[bucket] as number) + 1;
    this.sum += value;
    this.exponential?.add(value);
    if (traceId !== undefined) {
      this.exemplars ??= [];
      this.exemplars[bucket] = { traceId, value, at: Date.now() / 1000 };
    }
    this.#changed();
  }

  take(): Amount {
    const counts: [number, number][] = [];
    for (const [bucket, count] of this.counts.entries()) {
      const taken = this.#taken[bucket] as number;
      if (count === taken) continue;
      counts.push([bucket, count - taken]);
      this.#taken[bucket] = count;
    }
    const sum = this.sum - this.#takenSum;
    this.#takenSum = this.sum;
    this.#isNoted = false;
    // Entries of buckets without one are missing.
    const exemplars = Object.entries(this.exemplars ?? []).map(([bucket, one]) => [Number(bucket), one] as const);
    const exponential = this.exponential?.take();
    return exponential === undefined ? { sum, counts, exemplars } : { sum, counts, exemplars, exponential };
  }

  give(amount: Amount): void {
    if (typeof amount === "number") return;
    for (const [bucket, count] of amount.counts)
      if (bucket < this.counts.length) this.counts[bucket] = (this.counts[bucket] as number) + count;
    this.sum += amount.sum;
    if (amount.exponential !== undefined) this.exponential?.give(amount.exponential);
    for (const [bucket, exemplar] of amount.exemplars) {
      this.exemplars ??= [];
      if (exemplar.at > (this.exemplars[bucket]?.at ?? 0)) this.exemplars[bucket] = exemplar;
    }
    this.#changed();
  }

  #changed(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#note(this);
  }
}

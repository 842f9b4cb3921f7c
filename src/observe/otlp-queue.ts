import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "./log.ts";
import { OtlpBatch } from "./otlp-batch.ts";
import { OtlpSender, type OtlpTarget } from "./otlp-send.ts";

/** Milliseconds before another attempt where the collector says nothing; doubled each time. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
/** Milliseconds that the last batches may take when the program ends. */
const FAREWELL = 2_000;
const TELL_EVERY = 60_000;
/** Bytes of a buffer that is kept for the next batch. */
const MOST_SPARE = 4_194_304;

export interface OtlpQueueOptions extends OtlpTarget {
  /** Kind of the content, for the log. */
  readonly what: "spans" | "log lines" | "data points of metrics";
  /** The body before and after the parts, which commas separate. */
  readonly envelope: readonly [before: string, after: string];
  /** Milliseconds until a part is sent. */
  readonly delay: number;
  /** Milliseconds after which a batch is dropped. */
  readonly patience: number;
  readonly mostQueued: number;
  readonly mostInBatch: number;
  /** Is told of each batch, and of what was dropped. */
  readonly counted?: (outcome: "sent" | "dropped", count: number) => void;
  readonly log: Log;
}

/** Numbers of parts since the start. */
export interface OtlpCounts {
  readonly sent: number;
  readonly dropped: number;
}

/** Sends parts in batches, one batch at a time. What finds no room is dropped, and counted: nobody waits for a collector. */
export class OtlpQueue {
  readonly #options: OtlpQueueOptions;
  readonly #sender: OtlpSender;
  readonly #closing = new AbortController();
  readonly #batches: OtlpBatch[] = [];
  #spare: Buffer | null = null;
  #size = 0;
  #sent = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  #isEnding = false;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: OtlpQueueOptions) {
    this.#options = options;
    this.#sender = new OtlpSender(options);
  }

  get counts(): OtlpCounts {
    return { sent: this.#sent, dropped: this.#dropped };
  }

  /** Whether nothing waits and nothing is on its way. */
  get isEmpty(): boolean {
    return this.#size === 0 && this.#sending === null;
  }

  /** Counts parts that are not even made. */
  refuse(count: number, reason: string): void {
    this.#drop(count, reason);
  }

  /** @param make makes the JSON of so many parts; not called where there is no room for them */
  add(make: () => string, count: number): void {
    const { mostQueued, mostInBatch, delay } = this.#options;
    if (this.#isEnding || this.#size + count > mostQueued) {
      this.#drop(count, "the queue is full");
      return;
    }
    this.#batchFor(count).add(make(), count);
    this.#size += count;
    if (this.#sending !== null) return;
    if (this.#size >= mostInBatch) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), delay).unref();
  }

  /** Sends what waits, for two seconds at most. */
  async close(): Promise<void> {
    this.#isEnding = true;
    const timer = setTimeout(() => this.#closing.abort(), FAREWELL);
    this.#begin();
    await this.#sending;
    clearTimeout(timer);
    this.#sender.close();
  }

  #begin(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
      if (this.#size > 0 && !this.#isEnding)
        this.#timer ??= setTimeout(() => this.#begin(), this.#options.delay).unref();
    });
  }

  /** Whole batches, and at the end the rest too. */
  async #sendAll(): Promise<void> {
    do await this.#sendBatch();
    while (this.#size >= (this.#isEnding ? 1 : this.#options.mostInBatch));
  }

  #batchFor(count: number): OtlpBatch {
    const { envelope, mostInBatch } = this.#options;
    const last = this.#batches.at(-1);
    if (last !== undefined && last.count + count <= mostInBatch) return last;
    const batch = new OtlpBatch(envelope, this.#spare);
    this.#spare = null;
    this.#batches.push(batch);
    return batch;
  }

  async #sendBatch(): Promise<void> {
    const { patience } = this.#options;
    const batch = this.#batches.shift();
    if (batch === undefined) return;
    const { count } = batch;
    this.#size -= count;
    const body = batch.end();
    const deadline = performance.now() + patience;
    for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      const { isAccepted, rejected, problem, retryAfter } = await this.#sender.send(body, this.#closing.signal);
      if (isAccepted) {
        this.#sent += count - rejected;
        this.#options.counted?.("sent", count - rejected);
        if (rejected > 0) this.#drop(rejected, problem ?? "the collector rejects a part");
        if (batch.spare.length <= MOST_SPARE) this.#spare = batch.spare;
        return;
      }
      const isLast = retryAfter === null || this.#isEnding || performance.now() + (retryAfter || wait) > deadline;
      if (isLast) {
        this.#drop(count, problem ?? "the collector does not answer");
        return;
      }
      await pause(retryAfter || wait, null, { ref: false, signal: this.#closing.signal }).catch(() => {});
    }
  }

  #drop(count: number, reason: string): void {
    this.#dropped += count;
    this.#options.counted?.("dropped", count);
    const now = performance.now();
    if (now - this.#toldAt < TELL_EVERY) return;
    this.#toldAt = now;
    const { what, log } = this.#options;
    log.warn(
      { reason, dropped: this.#dropped, sent: this.#sent },
      `${what} for the OpenTelemetry collector are dropped`,
    );
  }
}

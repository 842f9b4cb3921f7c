import { type PageFormat, type ProcessGauges, printPage } from "./metrics-page.ts";
import type { MetricsReading } from "./otlp-points.ts";
import { type GaugeSample, Registry } from "./registry.ts";
import type { Counter } from "./series.ts";
import { type FromWorker, isOfMetrics, type ToWorker } from "./worker-messages.ts";

/** Milliseconds for which a page waits for workers (O20). */
const PATIENCE = 200;
/** The same of an export, for which nobody waits. */
const EXPORT_PATIENCE = 2_000;

/** A worker that has reported something. */
interface Member {
  /** From 1, the lowest that is free: a worker that takes the place of another has its number. */
  readonly number: number;
  readonly send: (message: ToWorker) => void;
}

interface Reading {
  readonly missing: Set<Member>;
  readonly gauges: Map<number, readonly GaugeSample[]>;
  readonly end: () => void;
}

/**
 * The metrics of all workers together, kept by the process that started them. Counters and histograms are sums: the share of a
 * worker that has ended stays. Gauges bear the number of their worker.
 */
export class MetricsSum {
  readonly registry: Registry;
  readonly #missing: Counter;
  readonly #members = new Map<number, Member>();
  /** Workers that have ended. Their last messages may arrive after that. */
  readonly #gone = new Set<number>();
  readonly #readings = new Map<number, Reading>();
  #count = 0;

  /** @param isExponential whether histograms have exponential buckets as well */
  constructor(isExponential = false) {
    this.registry = new Registry(isExponential);
    this.#missing = this.registry.counter("metrics_workers_missing_total");
  }

  /**
   * Takes a message of a worker.
   *
   * @param worker its number, which is never used again
   * @param send sends it a message, and does nothing once it is gone
   * @returns whether it was about metrics
   */
  heard(worker: number, message: unknown, send: (message: ToWorker) => void): boolean {
    if (!isOfMetrics<FromWorker>(message)) return false;
    if (message.metrics !== "page") this.registry.give(message.reports);
    if (this.#gone.has(worker)) return true;
    const member = this.#members.get(worker) ?? this.#admit(worker, send);
    if (message.metrics === "answer") this.#answered(message.id, member, message.gauges);
    if (message.metrics === "page") void this.#sendPage(message, member);
    return true;
  }

  /** The worker has ended, and is not asked any more. */
  left(worker: number): void {
    this.#gone.add(worker);
    const member = this.#members.get(worker);
    if (member === undefined) return;
    this.#members.delete(worker);
    for (const [id] of this.#readings) this.#answered(id, member, []);
  }

  /** The sums with the gauges of the workers that there are, for an export. One of them asks the database. */
  async read(): Promise<MetricsReading> {
    return { registry: this.registry, gauges: inOrder(await this.#read(EXPORT_PATIENCE, true)) };
  }

  #admit(worker: number, send: Member["send"]): Member {
    const taken = new Set(Array.from(this.#members.values(), ({ number }) => number));
    let number = 1;
    while (taken.has(number)) number++;
    const member = { number, send };
    this.#members.set(worker, member);
    return member;
  }

  async #sendPage(asked: Extract<FromWorker, { metrics: "page" }>, { send }: Member): Promise<void> {
    const { id, format, shared } = asked;
    const gauges = await this.#read(PATIENCE, false);
    send({ metrics: "page", id, page: this.#print(gauges, shared, format) });
  }

  #print(gauges: Reading["gauges"], shared: readonly GaugeSample[], format: PageFormat): string {
    return printPage(this.registry, [{ worker: null, samples: shared }, ...inOrder(gauges)], format);
  }

  /**
   * Asks every worker, which reports and tells its gauges; those that do not answer in time are counted.
   *
   * @param withShared whether the first one tells the gauges about the database too
   */
  async #read(patience: number, withShared: boolean): Promise<Reading["gauges"]> {
    const id = ++this.#count;
    const missing = new Set(this.#members.values());
    const gauges: Reading["gauges"] = new Map();
    if (missing.size === 0) return gauges;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patience);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#readings.set(id, { missing, gauges, end });
      let isFirst = withShared;
      for (const { send } of missing) {
        send(isFirst ? { metrics: "ask", id, shared: true } : { metrics: "ask", id });
        isFirst = false;
      }
    });
    this.#readings.delete(id);
    if (missing.size > 0) this.#missing.add(missing.size);
    return gauges;
  }

  #answered(id: number, member: Member, gauges: readonly GaugeSample[]): void {
    const reading = this.#readings.get(id);
    if (reading === undefined || !reading.missing.delete(member)) return;
    if (gauges.length > 0) reading.gauges.set(member.number, gauges);
    if (reading.missing.size === 0) reading.end();
  }
}

function inOrder(gauges: Reading["gauges"]): ProcessGauges[] {
  const all = Array.from(gauges, ([worker, samples]) => ({ worker, samples }));
  return all.toSorted((one, other) => one.worker - other.worker);
}

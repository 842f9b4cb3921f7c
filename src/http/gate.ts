import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";

/** So many may always be under way at one address: their slowness says nothing about the load. */
const LEAST_IN_FLIGHT = 16;

/** A request under way, which can wait for somebody else for a while. */
interface Visit {
  readonly gate: Gate;
  /** A request may pass several gates on its way. */
  readonly outer: Visit | undefined;
  since: number;
  /** Waits that have begun and not ended. */
  waits: number;
  waitsSince: number;
}

const visits = new AsyncLocalStorage<Visit>();

/**
 * Runs work that waits for a host which a caller has chosen. How slow that host is says nothing about our load: the request
 * is not counted as under way meanwhile, and the time does not count (A45).
 */
export async function withoutCounting<T>(work: () => Promise<T>): Promise<T> {
  const visit = visits.getStore();
  for (let each = visit; each !== undefined; each = each.outer) each.gate.pause(each);
  try {
    return await work();
  } finally {
    for (let each = visit; each !== undefined; each = each.outer) each.gate.resume(each);
  }
}

/** Running requests of one route. */
export class Gate {
  inFlight = 0;
  /** How many may be under way. */
  window: number;
  readonly #most: number;
  readonly #delay: number;
  readonly #asked: (gate: Gate, request: IncomingMessage) => boolean;
  readonly #now: () => number;
  #narrowedAt = Number.NEGATIVE_INFINITY;
  /** Waits of watched requests, by the id of the request, until its answer. */
  readonly #waits = new Map<string, { waited: number }>();

  constructor(
    { MAX_IN_FLIGHT, MAX_DELAY }: { readonly MAX_IN_FLIGHT: number; readonly MAX_DELAY: number },
    isRefused: (gate: Gate, request: IncomingMessage) => boolean,
    now: () => number,
  ) {
    this.#most = MAX_IN_FLIGHT;
    this.#delay = MAX_DELAY;
    this.#asked = isRefused;
    this.#now = now;
    this.window = MAX_IN_FLIGHT;
  }

  /** Whether a new request must be answered with OVERLOADED. */
  isRefused(request: IncomingMessage): boolean {
    return this.#asked(this, request);
  }

  /** Counts requests that wait, until they are answered. @param id of the request, by which `wait` finds it */
  watch<T>(answer: T, id = ""): T {
    if (answer instanceof Promise) {
      const since = this.#now();
      this.inFlight++;
      const done = () => this.#leave(since + this.#waitOf(id));
      answer.then(done, done);
    }
    return answer;
  }

  /**
   * As `withoutCounting`, for a request that `watch` counts: a context that is carried along would cost every other request of its
   * route.
   */
  async wait<T>(id: string, work: () => Promise<T>): Promise<T> {
    const wait = this.#waits.get(id) ?? { waited: 0 };
    this.#waits.set(id, wait);
    const since = this.#now();
    this.inFlight--;
    try {
      return await work();
    } finally {
      this.inFlight++;
      wait.waited += this.#now() - since;
    }
  }

  #waitOf(id: string): number {
    const { waited = 0 } = this.#waits.get(id) ?? {};
    this.#waits.delete(id);
    return waited;
  }

  /** As `watch`, for work that may wait for a host which the caller has chosen: see `withoutCounting`. */
  run<T>(work: () => T): T {
    const visit: Visit = { gate: this, outer: visits.getStore(), since: this.#now(), waits: 0, waitsSince: 0 };
    this.inFlight++;
    const done = () => this.#leave(visit.since);
    try {
      const answer = visits.run(visit, work);
      if (answer instanceof Promise) answer.then(done, done);
      else this.inFlight--;
      return answer;
    } catch (error) {
      this.inFlight--;
      throw error;
    }
  }

  pause(visit: Visit): void {
    if (visit.waits++ > 0) return;
    visit.waitsSince = this.#now();
    this.inFlight--;
  }

  resume(visit: Visit): void {
    if (--visit.waits > 0) return;
    visit.since += this.#now() - visit.waitsSince;
    this.inFlight++;
  }

  #leave(since: number): void {
    const { inFlight, window } = this;
    this.inFlight--;
    const now = this.#now();
    if (now - since <= this.#delay) {
      this.window = Math.min(this.#most, window + (inFlight < window / 2 ? 1 : 0.1));
    } else if (inFlight > LEAST_IN_FLIGHT && now - this.#narrowedAt > this.#delay) {
      // Once in the time in which an answer shows the last change.
      this.#narrowedAt = now;
      this.window = Math.min(this.#most, Math.max(LEAST_IN_FLIGHT, Math.min(window, inFlight) * 0.75));
    }
  }
}

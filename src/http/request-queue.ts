import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a turn of the event loop may take before what has come waits for the next. */
const TURN_MS = 10;
/** Limit: requests that one turn takes out of the queue. */
const MOST_BEGUN = 32;
/** Turns in a row that may go to new connections alone. */
const MOST_PASSED = 64;
const FORGET_AFTER = 1_024;
/** So many may always wait: their slowness, or that of a machine that has just started, says nothing about the load. */
const FEW = 8;

/** Requests of operators never wait. */
const OPERATORS: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"]);

/** Answers a request. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

/**
 * Requests that have come and are not begun. While there is little to do, each is begun at once. When a turn of the event
 * loop has taken TURN_MS, the rest waits in order for later turns, so that each turn stays short: a turn accepts a single
 * connection (libuv), and what nobody has accepted waits where we do not see it. So new connections come first, too.
 */
export class RequestQueue {
  readonly #serve: Serve;
  readonly #delay: number;
  readonly #refuse: (request: IncomingMessage) => void;
  /** By which waiting is counted; how long a turn takes is another matter. */
  readonly #time: () => number;
  #waiting: (Waiting | undefined)[] = [];
  /** How many of `#waiting` have been begun. Their places are cleared, so that no request outlives its answer. */
  #begun = 0;
  #isTurnOpen = false;
  #turnSince = 0;
  /** Whether a connection was accepted in this turn and in the one before. */
  #isAccepting = false;
  #wasAccepting = false;
  /** When the request that started last did so. */
  #begunAt = 0;
  /** Milliseconds for which one request after another has started late, without a pause in between. */
  #late = 0;
  /** Turns in a row that began nothing, for the sake of new connections. */
  #passed = 0;

  constructor(serve: Serve, delay: number, refuse: (request: IncomingMessage) => void, time: () => number) {
    this.#serve = serve;
    this.#delay = delay;
    this.#refuse = refuse;
    this.#time = time;
  }

  readonly accepted = (): void => {
    this.#isAccepting = true;
    this.#openTurn();
  };

  readonly add: Serve = (request, response) => {
    const now = this.#openTurn();
    const oldest = this.#waiting[this.#begun];
    if (oldest === undefined && now - this.#turnSince <= TURN_MS && !this.#isDoorBusy()) {
      this.#serve(request, response);
    } else if (OPERATORS.has(request.url ?? "")) {
      this.#serve(request, response);
    } else if (oldest !== undefined && this.#isOverloaded() && this.#time() - oldest.since > this.#delay / 2) {
      this.#refuse(request);
      this.#serve(request, response);
    } else {
      this.#waiting.push({ request, response, since: this.#time() });
    }
  };

  #isDoorBusy(): boolean {
    return (this.#isAccepting || this.#wasAccepting) && this.#passed < MOST_PASSED;
  }

  /** @returns the time, as of performance.now() */
  #openTurn(): number {
    const now = performance.now();
    if (!this.#isTurnOpen) {
      this.#isTurnOpen = true;
      this.#turnSince = now;
      setImmediate(this.#endTurn);
    }
    return now;
  }

  /** Runs when all that has come is in the queue. */
  readonly #endTurn = (): void => {
    const isDoorBusy = this.#isDoorBusy();
    this.#isTurnOpen = false;
    this.#wasAccepting = this.#isAccepting;
    this.#isAccepting = false;
    const left = this.#waiting.length - this.#begun;
    if (left === 0) {
      this.#late = 0;
      this.#passed = 0;
      return;
    }
    this.#openTurn(); // which keeps the loop from falling asleep
    if (isDoorBusy) {
      this.#passed++;
      return;
    }
    this.#passed = 0;
    // Each in a callback of its own, because most of the work is done in ticks that follow it.
    for (let step = Math.min(left, MOST_BEGUN); step > 0; step--) setImmediate(this.#beginNext);
  };

  readonly #beginNext = (): void => {
    const now = performance.now();
    const next = this.#waiting[this.#begun];
    if (next === undefined || now - this.#turnSince > TURN_MS) return;
    this.#waiting[this.#begun++] = undefined;
    if (this.#begun === this.#waiting.length || this.#begun === FORGET_AFTER) {
      this.#waiting = this.#waiting.slice(this.#begun);
      this.#begun = 0;
    }
    const { request, response, since } = next;
    const time = this.#time();
    this.#noteStart(time, time - since);
    if (request.destroyed) return;
    if (time - since > this.#delay && this.#isOverloaded()) this.#refuse(request);
    this.#serve(request, response);
  };

  #noteStart(time: number, wait: number): void {
    const isLate = wait > this.#delay / 4;
    this.#late = isLate ? this.#late + Math.min(time - this.#begunAt, this.#delay / 4) : 0;
    this.#begunAt = time;
  }

  /**
   * Whether many wait, and have waited for long although requests are being served. After a pause of the machine, all that
   * wait have waited for long, too, but are served in no time: however long it was, the pause counts as a quarter of `#delay`.
   */
  #isOverloaded(): boolean {
    return this.#late > this.#delay / 2 && this.#waiting.length - this.#begun > FEW;
  }
}

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { FastifyInstance, preParsingHookHandler, RouteHandlerMethod } from "fastify";
import type { Config } from "./config.ts";
import { AppError } from "./domain/errors.ts";
import type { Log } from "./observe/log.ts";
import type { Metrics } from "./observe/metrics.ts";

/** So many may always be under way at one address: their slowness says nothing about the load. */
const LEAST_IN_FLIGHT = 16;

/** So many, at all addresses together, when memory is short. */
const WHEN_MEMORY_IS_SHORT = 4;

/** Parts of the limits at which memory counts as short: of what the machine or container gives, and of V8's heap. */
const MEMORY = { resident: 0.85, heap: 0.9 } as const;
const LOOK_AT_MEMORY_EVERY_MS = 100;

/** How long a turn of the event loop may take before what has come waits for the next. */
const TURN_MS = 10;
/** Requests that one turn takes out of the queue at the most. */
const MOST_BEGUN = 32;
/** Turns in a row that may go to new connections alone. */
const MOST_PASSED = 64;
const FORGET_AFTER = 1_024;

/** What operators ask never waits. */
const OPERATORS: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"]);

const TELL_EVERY_MS = 10_000;

/** The answer to what is refused; by what it lacks (a cause) it is told from a failure, which the log has to know of. */
export const OVERLOADED = new AppError("UNAVAILABLE", "Too much is asked for at this moment. Nothing was done.", {
  retryAfter: 1,
});

export interface OverloadOptions {
  readonly config: Pick<Config, "MAX_IN_FLIGHT" | "MAX_DELAY">;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "requestShed">;
}

/** Refuses new requests while those that were let in would wait for too long. */
export interface Overload {
  /** Puts the queue in front of what serves the requests. @returns what is to be the server's listener instead */
  queue(server: Server, serve: Serve): Serve;
  /** Guards every route that is registered in this scope from now on. */
  guardRoutes(scope: FastifyInstance): void;
  /** What is under way at one address, by its pattern. */
  gate(route: string): Gate;
  close(): void;
}

/**
 * What waits in front of the processor and what waits behind it are bounded apart.
 *
 * In front: requests that cannot be begun at once stand in a queue. Who has stood in it for MAX_DELAY is refused; and who
 * comes while those at its head have for half of it is refused at once.
 *
 * Behind: what has been handed to the database or to another thread. How much of it is too much depends on how fast that
 * is; so each address has a window which opens to MAX_IN_FLIGHT while answers take less than MAX_DELAY, and closes while
 * they take longer (additive increase, multiplicative decrease). For each address its own: sign-ins that queue up, and
 * take their time for a reason, refuse nobody a token.
 */
export function openOverload({ config, log, metrics }: OverloadOptions): Overload {
  const gates = new Map<string, Gate>();
  /** Requests that have waited for too long. */
  const late = new WeakSet<IncomingMessage>();
  const memory = openMemoryWatch();
  let toldAt = Number.NEGATIVE_INFINITY;

  function inFlight(): number {
    let sum = 0;
    for (const { inFlight } of gates.values()) sum += inFlight;
    return sum;
  }

  function reason(gate: Gate, request: IncomingMessage): Reason | null {
    if (late.has(request)) return "delay";
    if (gate.inFlight >= gate.window) return "in_flight";
    if (memory.isShort() && inFlight() >= WHEN_MEMORY_IS_SHORT) return "memory";
    return null;
  }

  function isRefused(gate: Gate, request: IncomingMessage): boolean {
    const why = reason(gate, request);
    if (why === null) return false;
    metrics.requestShed(why);
    const now = performance.now();
    if (now - toldAt > TELL_EVERY_MS) {
      toldAt = now;
      log.warn({ reason: why, inFlight: inFlight() }, "overloaded: requests are refused with 503");
    }
    return true;
  }

  function gateOf(route: string): Gate {
    let gate = gates.get(route);
    if (gate === undefined) {
      gate = new Gate(config, isRefused);
      gates.set(route, gate);
    }
    return gate;
  }

  return {
    gate: gateOf,
    queue(server, serve) {
      const queue = new Queue(serve, config.MAX_DELAY, (request) => late.add(request));
      server.on("connection", queue.accepted);
      return queue.add;
    },
    guardRoutes(scope) {
      scope.addHook("onRoute", (route) => {
        const gate = gateOf(route.url);
        // After onRequest, so that CORS has said who may read the refusal; before the body is read.
        const refuse: preParsingHookHandler = ({ raw }, _reply, payload, done) =>
          gate.isRefused(raw) ? done(OVERLOADED) : done(null, payload);
        route.preParsing = [refuse, ...[route.preParsing ?? []].flat()];
        const { handler } = route;
        route.handler = function (...parameters) {
          return gate.watch(handler.apply(this, parameters) as ReturnType<RouteHandlerMethod>);
        };
      });
    },
    close: memory.close,
  };
}

type Reason = "delay" | "in_flight" | "memory";

class Gate {
  inFlight = 0;
  /** How many may be under way. */
  window: number;
  readonly #most: number;
  readonly #delay: number;
  readonly #asked: (gate: Gate, request: IncomingMessage) => boolean;
  #narrowedAt = Number.NEGATIVE_INFINITY;

  constructor(
    { MAX_IN_FLIGHT, MAX_DELAY }: OverloadOptions["config"],
    isRefused: (gate: Gate, request: IncomingMessage) => boolean,
  ) {
    this.#most = MAX_IN_FLIGHT;
    this.#delay = MAX_DELAY;
    this.#asked = isRefused;
    this.window = MAX_IN_FLIGHT;
  }

  /** Whether a request that comes now is to be answered with OVERLOADED. */
  isRefused(request: IncomingMessage): boolean {
    return this.#asked(this, request);
  }

  /** Counts what is not answered at once until it is. */
  watch<T>(answer: T): T {
    if (answer instanceof Promise) {
      const since = performance.now();
      this.inFlight++;
      const done = () => this.#leave(since);
      answer.then(done, done);
    }
    return answer;
  }

  #leave(since: number): void {
    const { inFlight, window } = this;
    this.inFlight--;
    const now = performance.now();
    if (now - since <= this.#delay) {
      this.window = Math.min(this.#most, window + (inFlight < window / 2 ? 1 : 0.1));
    } else if (inFlight > LEAST_IN_FLIGHT && now - this.#narrowedAt > this.#delay) {
      // Once in the time in which an answer shows the last change.
      this.#narrowedAt = now;
      this.window = Math.min(this.#most, Math.max(LEAST_IN_FLIGHT, Math.min(window, inFlight) * 0.75));
    }
  }
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

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
class Queue {
  readonly #serve: Serve;
  readonly #delay: number;
  readonly #refuse: (request: IncomingMessage) => void;
  #waiting: Waiting[] = [];
  /** How many of `#waiting` have been begun. */
  #begun = 0;
  #isTurnOpen = false;
  #turnSince = 0;
  /** Whether a connection was accepted in this turn and in the one before. */
  #isAccepting = false;
  #wasAccepting = false;
  /** What the last that was begun had waited for: one long wait may be a pause of the whole machine. */
  #lastWait = 0;
  /** Turns in a row that began nothing, for the sake of new connections. */
  #passed = 0;

  constructor(serve: Serve, delay: number, refuse: (request: IncomingMessage) => void) {
    this.#serve = serve;
    this.#delay = delay;
    this.#refuse = refuse;
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
    } else if (oldest !== undefined && now - oldest.since > this.#delay / 2 && this.#lastWait > this.#delay / 4) {
      this.#refuse(request);
      this.#serve(request, response);
    } else {
      this.#waiting.push({ request, response, since: now });
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
    this.#begun++;
    if (this.#begun === this.#waiting.length || this.#begun === FORGET_AFTER) {
      this.#waiting = this.#waiting.slice(this.#begun);
      this.#begun = 0;
    }
    const { request, response, since } = next;
    this.#lastWait = now - since;
    if (request.destroyed) return;
    if (this.#lastWait > this.#delay) this.#refuse(request);
    this.#serve(request, response);
  };
}

/** Looks at it now and then, because asking costs more than a small read may. */
function openMemoryWatch() {
  const given = process.constrainedMemory(); // of the container; absurdly large where there is none
  const limit = given > 0 && given < totalmem() ? given : Number.POSITIVE_INFINITY;
  let isShort = false;
  const timer = setInterval(() => {
    const heap = getHeapStatistics();
    isShort =
      heap.used_heap_size > MEMORY.heap * heap.heap_size_limit ||
      (limit !== Number.POSITIVE_INFINITY && process.memoryUsage.rss() > MEMORY.resident * limit);
  }, LOOK_AT_MEMORY_EVERY_MS).unref();
  return { isShort: () => isShort, close: () => clearInterval(timer) };
}

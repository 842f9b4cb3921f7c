import type { IncomingMessage, Server } from "node:http";
import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { FastifyInstance, preParsingHookHandler, RouteHandlerMethod } from "fastify";
import type { Config } from "../config/config.ts";
import { AppError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { CountedTime } from "./counted-time.ts";
import { Gate } from "./gate.ts";
import { RequestQueue, type Serve } from "./request-queue.ts";

/** Limit of requests in the database, over all routes, when memory is short. */
const WHEN_MEMORY_IS_SHORT = 4;

/** Parts of the limits at which memory counts as short: of what the machine or container gives, and of V8's heap. */
const MEMORY = { resident: 0.85, heap: 0.9 } as const;
const LOOK_AT_MEMORY_EVERY_MS = 100;

const TELL_EVERY_MS = 10_000;

/** The answer to what is refused; by what it lacks (a cause) it is told from a failure, which the log has to know of. */
export const OVERLOADED = new AppError("UNAVAILABLE", "The server is busy. Nothing was changed. Try again shortly.", {
  retryAfter: 1,
});

export interface OverloadOptions {
  readonly config: Pick<Config, "MAX_IN_FLIGHT" | "MAX_DELAY">;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "requestShed">;
}

/** Refuses new requests while those that were let in would wait for too long. */
export interface Overload {
  /** Puts the queue in front of `serve`. @returns the new listener of the server */
  queue(server: Server, serve: Serve): Serve;
  /** Guards every route that is registered in this scope from now on. */
  guardRoutes(scope: FastifyInstance): void;
  /** Running requests of one route, by its pattern. */
  gate(route: string): Gate;
  /** Does work of our own that delays requests, without rejecting any. */
  uncounted<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Requests that wait in front of the processor and behind it have separate bounds.
 *
 * In front: requests that cannot start immediately join a queue. Requests queued longer than MAX_DELAY are rejected. New
 * requests are rejected immediately while the head of the queue has waited for half of MAX_DELAY.
 *
 * Behind: work that was handed to the database or to another thread. The bound depends on how fast that
 * is; so each route has a window which opens to MAX_IN_FLIGHT while answers take less than MAX_DELAY, and closes while
 * they take longer (additive increase, multiplicative decrease). Windows are separate: sign-ins that queue up, and
 * are slow for a reason, block nobody's token request.
 */
export function openOverload({ config, log, metrics }: OverloadOptions): Overload {
  const time = new CountedTime();
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
      gate = new Gate(config, isRefused, time.now);
      gates.set(route, gate);
    }
    return gate;
  }

  return {
    gate: gateOf,
    queue(server, serve) {
      const queue = new RequestQueue(serve, config.MAX_DELAY, (request) => late.add(request), time.now);
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
          return gate.run(() => handler.apply(this, parameters) as ReturnType<RouteHandlerMethod>);
        };
      });
    },
    uncounted: (work) => time.without(work),
    close: memory.close,
  };
}

type Reason = Parameters<Metrics["requestShed"]>[0];

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

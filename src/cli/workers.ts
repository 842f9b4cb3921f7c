import cluster, { type Worker } from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { MetricsSum } from "../observe/metrics-sum.ts";
import type { Channel } from "../observe/worker-metrics.ts";

/** Milliseconds before a worker that died is replaced, so that one that cannot live does not spin. */
const REPLACE_AFTER = 1_000;

/** Report of a worker once it listens. */
export interface WorkerReady {
  readonly setUpUrl: string | null;
}

/**
 * Runs this command once more in `count` processes that share the port, replaces those that die, and ends with them.
 * A worker that ends before it listens ends all: its message says why it cannot start.
 *
 * @param onStop is called once, when all are told to stop
 * @returns what the first worker told, once all listen; the process ends by itself after SIGTERM or SIGINT
 */
export function superviseWorkers(count: number, onStop: () => void): Promise<WorkerReady> {
  let stopping = false;
  const stop = () => {
    if (!stopping) onStop();
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGTERM");
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  return new Promise((resolve) => {
    const ready = new Set<Worker>();
    const metrics = new MetricsSum();
    cluster.on("message", (worker, message: WorkerReady) => {
      const send = (answer: object) => void worker.send(answer, ignored);
      if (metrics.heard(worker.id, message, send)) return;
      ready.add(worker);
      if (ready.size === count) resolve(message);
    });
    cluster.on("exit", async (worker, code) => {
      metrics.left(worker.id);
      if (stopping || !ready.has(worker)) {
        process.exitCode ||= code;
        if (!stopping) stop();
        return;
      }
      console.error(`A worker ended with ${code}; another one takes its place.`);
      await pause(REPLACE_AFTER);
      if (!stopping) cluster.fork();
    });
    for (let i = 0; i < count; i++) cluster.fork();
  });
}

/** A message to a process that has gone in the meantime. */
function ignored(): void {}

/** In a worker: the way to the supervisor, which sums up the metrics; undefined in a process that has none. */
export function supervisorChannel(): Channel | undefined {
  if (cluster.isPrimary) return undefined;
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, ignored);
    },
    listen: (listener) => void process.on("message", listener),
  };
}

/** In a worker: tells the supervisor that it listens, and ends it when the supervisor is gone. */
export function reportToSupervisor(ready: WorkerReady, stop: () => void): void {
  process.send?.(ready);
  process.on("disconnect", stop);
}

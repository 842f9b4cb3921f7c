import cluster, { type Worker } from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";

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
    cluster.on("message", (worker, message: WorkerReady) => {
      ready.add(worker);
      if (ready.size === count) resolve(message);
    });
    cluster.on("exit", async (worker, code) => {
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

/** In a worker: tells the supervisor that it listens, and ends it when the supervisor is gone. */
export function reportToSupervisor(ready: WorkerReady, stop: () => void): void {
  process.send?.(ready);
  process.on("disconnect", stop);
}

import cluster, { type Worker } from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { countsExponentially, openMetricsExport } from "../app/metrics-export.ts";
import type { Config } from "../config/config.ts";
import type { Listeners, PortListener } from "../http/listener.ts";
import { openLog } from "../observe/log.ts";
import { MetricsSum } from "../observe/metrics-sum.ts";
import type { Channel } from "../observe/worker-metrics.ts";
import { systemClock } from "./context.ts";
import type { Running } from "./running.ts";
import { connectionsOfSupervisor, SharedConnections, type WorkerRequest } from "./shared-connections.ts";

/** Milliseconds before a worker that died is replaced, so that one that cannot live does not spin. */
const REPLACE_AFTER = 1_000;
/** Milliseconds within which the last messages of a worker arrive after its end. */
const LAST_WORDS = 500;
/** The signal by which a supervisor tells its workers that another process has taken over: nobody else sends it. */
const HAND_OVER = "hand over";

/** Report of a worker once it listens. */
interface WorkerReady {
  readonly setUpUrl: string | null;
}

/**
 * Runs this command once more in as many processes as WORKERS says, gives them the connections of its sockets, replaces those that die, and
 * ends with them. A worker that ends before it listens ends all: its message says why it cannot start.
 *
 * @param listeners whose connections are for others
 * @returns what the first worker told, once all listen
 */
export function superviseWorkers(config: Config, listeners: Listeners<PortListener>): Running {
  const { WORKERS: count } = config;
  const connections = new SharedConnections(listeners);
  const metrics = new MetricsSum(countsExponentially(config));
  const exporting = openMetricsExport(config, {
    ...{ registry: metrics.registry, log: openLog(config), now: systemClock },
    read: () => metrics.read(),
  });
  const ready = new Set<Worker>();
  const setUpUrl = Promise.withResolvers<string | null>();
  let isEnding = false;
  let hasEnded = false;
  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

  function stop(): void {
    isEnding = true;
    for (const worker of workers()) worker.process.kill("SIGTERM");
  }

  async function endAfterLast(): Promise<void> {
    if (workers().length > 0 || hasEnded) return;
    hasEnded = true;
    await Promise.all([connections.stop(), exporting.then((one) => one.close())]); // or the sockets would keep this process
  }

  cluster.on("message", (worker, message: WorkerReady | WorkerRequest) => {
    if (metrics.heard(worker.id, message, (answer) => void worker.send(answer, ignored))) return;
    if ("kind" in message) return void connections.answer(worker, message);
    ready.add(worker);
    if (ready.size === count) setUpUrl.resolve(message.setUpUrl);
  });
  /** To be called after the last message of a worker, or when none can come any more. */
  function forget(worker: Worker): void {
    metrics.left(worker.id);
    if (isEnding) void endAfterLast();
  }

  cluster.on("disconnect", forget);
  cluster.on("exit", async (worker, code) => {
    connections.forget(worker);
    // A worker killed within a message never disconnects: Node waits for the rest of the message.
    setTimeout(() => {
      delete cluster.workers?.[worker.id];
      forget(worker);
    }, LAST_WORDS).unref();
    if (isEnding || !ready.has(worker)) {
      process.exitCode ||= code;
      if (!isEnding) stop();
      return endAfterLast();
    }
    console.error(`A worker ended with ${code}; another one takes its place.`);
    await pause(REPLACE_AFTER);
    if (!isEnding) cluster.fork();
  });
  for (let i = 0; i < count; i++) cluster.fork();

  return {
    setUpUrl: setUpUrl.promise,
    stop,
    async handOver() {
      isEnding = true;
      await connections.stop();
      for (const worker of workers()) worker.send(HAND_OVER, () => {}); // it may just have ended
    },
  };
}

/** A message to a process that has gone in the meantime. */
function ignored(): void {}

/** In a worker: the way to the supervisor, which sums up the metrics. */
export function supervisorChannel(): Channel {
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, ignored);
    },
    listen: (listener) => void process.on("message", listener),
  };
}

/** In a worker: where its requests come from. */
export function listenersOfSupervisor(hasOperations: boolean): Listeners {
  return {
    main: connectionsOfSupervisor("main"),
    operations: hasOperations ? connectionsOfSupervisor("operations") : null,
  };
}

/** In a worker: tells the supervisor that it listens, does what that says, and ends when the supervisor is gone. */
export async function followSupervisor({ setUpUrl, stop, handOver }: Running): Promise<void> {
  process.on("message", (message) => message === HAND_OVER && handOver());
  try {
    const ready: WorkerReady = { setUpUrl: await setUpUrl };
    process.send?.(ready);
    process.on("disconnect", stop);
  } catch (error) {
    leaveSupervisor();
    throw error;
  }
}

/** In a worker: the connection to the supervisor keeps the process no longer. */
export function leaveSupervisor(): void {
  if (process.connected) process.disconnect();
}

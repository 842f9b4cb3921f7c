import type { PageFormat } from "./metrics-page.ts";
import { Registry } from "./registry.ts";
import { type FromWorker, isOfMetrics, type ToWorker } from "./worker-messages.ts";

/**
 * Milliseconds between two reports under load. A worker that is killed takes with it what it counted since its last report; after
 * so long without one, the next count is reported in the same turn of the event loop.
 */
const REPORT_EVERY = 50;
/** Milliseconds after which the page fails: the process that sums up answers after 200 ms at the latest. */
const PATIENCE = 2_000;

/** The way to the process that sums up. */
export interface Channel {
  send(message: FromWorker): void;
  /** Has the listener told of messages of that process. */
  listen(listener: (message: unknown) => void): void;
}

/** Metrics of one worker of several, which are reported as they grow. */
export interface WorkerMetrics {
  readonly registry: Registry;
  /** The page of all workers. @throws Error when the process that sums up does not answer */
  page(format: PageFormat): Promise<string>;
  /** Reports what is left. */
  close(): void;
}

export interface WorkerMetricsOptions {
  readonly channel: Channel;
  /** Whether histograms have exponential buckets as well, as those of the process that sums up. */
  readonly isExponential: boolean;
  /** Resolves when the gauges about the database are fresh. */
  readonly refresh: () => Promise<void>;
}

export function openWorkerMetrics({ channel, isExponential, refresh }: WorkerMetricsOptions): WorkerMetrics {
  const registry = new Registry(isExponential, schedule);
  const waiting = new Map<number, (page: string) => void>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  let pages = 0;

  channel.listen((message) => {
    if (!isOfMetrics<ToWorker>(message)) return;
    const { id } = message;
    if (message.metrics === "page") return waiting.get(id)?.(message.page);
    if (message.shared === undefined) answer(id, "own");
    else void refresh().then(() => answer(id, "all"));
  });

  function answer(id: number, which: "own" | "all"): void {
    const gauges = registry.readGauges(which); // first: it may count
    channel.send({ metrics: "answer", id, reports: registry.takeReports(), gauges });
  }

  function schedule(): void {
    const wait = reportedAt + REPORT_EVERY - performance.now();
    if (wait <= 0) setImmediate(report);
    else setTimeout(report, wait).unref();
  }

  function report(): void {
    reportedAt = performance.now();
    const reports = registry.takeReports();
    if (reports.length > 0) channel.send({ metrics: "report", reports });
  }

  return {
    registry,
    page(format) {
      const id = ++pages;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error("The process that sums up the metrics of the workers does not answer."));
        }, PATIENCE);
        waiting.set(id, (page) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(page);
        });
        channel.send({ metrics: "page", id, format, shared: registry.readGauges("shared") });
      });
    },
    close: report,
  };
}

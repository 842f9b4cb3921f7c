import type { CounterName, GaugeName, HistogramName, LabelsOf } from "./metric-table.ts";
import { type PageFormat, printPage } from "./metrics-page.ts";
import { Registry } from "./registry.ts";
import type { Counter, Histogram } from "./series.ts";

/** Counts answered requests of one route. @param traceId of the sampled trace, if there is one */
type CountRequest = (status: number, seconds: number, traceId?: string) => void;

/** Everything that the program counts and measures. The names and labels are those of `metric-table.ts`. */
export interface Metrics {
  /** One line of a counter, to be kept by whoever counts often. */
  counter<Name extends CounterName>(name: Name, ...labels: LabelsOf<Name>): Counter;
  /** The same of a histogram. */
  histogram<Name extends HistogramName>(name: Name, ...labels: LabelsOf<Name>): Histogram;
  /** Shows a number that is asked for whenever somebody looks; null while there is none. */
  gauge<Name extends GaugeName>(name: Name, read: () => number | null, ...labels: LabelsOf<Name>): void;
  /** Counts answered requests; `route` is the pattern, never the path. To be kept for routes that are asked for often. */
  requests(method: string, route: string): CountRequest;
  /** Counts one answered request. */
  requestAnswered(method: string, route: string, status: number, seconds: number, traceId?: string): void;
  /** Counts one request that was refused because of too much load; `reason` is one of a few. */
  requestShed(reason: "delay" | "in_flight" | "memory"): void;
  /** Counts one call to a webhook. */
  webhookCalled(outcome: "delivered" | "retried" | "failed"): void;
  /** Counts the outcome of one attempt to send a mail. */
  mailSettled(outcome: "sent" | "retried" | "failed" | "dropped"): void;
  /** Calls `refresh` before each page, which waits for it, but not for long. */
  beforePage(refresh: () => Promise<void>): void;
  /** Resolves when the numbers of the next page are fresh, or after PATIENCE. */
  refresh(): Promise<void>;
  /** The page of this process. Defaults to Prometheus text 0.0.4. */
  print(format?: PageFormat): string;
  readonly registry: Registry;
}

/** Milliseconds that a page waits for numbers that the database is asked for. */
const PATIENCE = 100;

/** Counts in plain numbers, because it runs several times for every request, and is read every few seconds. */
export function openMetrics(registry: Registry = new Registry()): Metrics {
  const routes = new Map<string, Map<string, CountRequest>>();
  const refreshers: (() => Promise<void>)[] = [];

  function requests(method: string, route: string): CountRequest {
    const byRoute = routes.get(method) ?? new Map<string, CountRequest>();
    routes.set(method, byRoute);
    let count = byRoute.get(route);
    if (count === undefined) {
      count = countRequests(registry, method, route);
      // A client chooses the method: what it makes up is not kept.
      if (byRoute.size < MOST_KEPT && routes.size < MOST_KEPT) byRoute.set(route, count);
    }
    return count;
  }

  return {
    registry,
    counter: (name, ...labels) => registry.counter(name, ...labels),
    histogram: (name, ...labels) => registry.histogram(name, ...labels),
    gauge: (name, read, ...labels) => registry.gauge(name, read, ...labels),
    requests,
    requestAnswered: (method, route, status, seconds, traceId) => requests(method, route)(status, seconds, traceId),
    requestShed: (reason) => registry.counter("http_requests_shed_total", reason).add(),
    webhookCalled: (outcome) => registry.counter("webhook_calls_total", outcome).add(),
    mailSettled: (outcome) => registry.counter("content_api_mails_total", outcome).add(),
    beforePage: (refresh) => void refreshers.push(refresh),
    async refresh() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PATIENCE);
      });
      await Promise.race([Promise.allSettled(refreshers.map((refresh) => refresh())), late]);
      clearTimeout(timer);
    },
    print: (format = "text") => printPage(registry, [{ worker: null, samples: registry.readGauges("all") }], format),
  };
}

const MOST_KEPT = 500;

function countRequests(registry: Registry, method: string, route: string): CountRequest {
  const series = new Map<number, Histogram>();
  return (status, seconds, traceId) => {
    let one = series.get(status);
    if (one === undefined) {
      one = registry.histogram("http_request_duration_seconds", method as "GET", route, `${status}`);
      series.set(status, one);
    }
    one.observe(seconds, traceId);
  };
}

import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

export interface Metrics {
  /** Counts one answered request; `route` is the pattern, never the path, so that the number of series stays bounded. */
  requestAnswered(method: string, route: string, status: number, seconds: number): void;
  /** Prometheus text format. */
  print(): Promise<{ contentType: string; text: string }>;
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's head to the end of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // Resolving labels costs more than counting: one look-up by text instead.
  const series = new Map<string, Histogram.Internal<"method" | "route" | "status">>();
  return {
    requestAnswered(method, route, status, seconds) {
      const key = `${method} ${route} ${status}`;
      let entry = series.get(key);
      if (entry === undefined) {
        entry = durations.labels({ method, route, status });
        series.set(key, entry);
      }
      entry.observe(seconds);
    },
    async print() {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

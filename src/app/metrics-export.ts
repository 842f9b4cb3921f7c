import type { Config } from "../config/config.ts";
import type { Log } from "../observe/log.ts";
import type { OtlpMetrics } from "../observe/otlp-metrics.ts";
import type { MetricsReading } from "../observe/otlp-points.ts";
import { programVersion } from "./program-version.ts";

interface ExportOptions {
  /** @param isLast whether the process ends: nothing is asked for any more */
  readonly read: (isLast: boolean) => Promise<MetricsReading>;
  /** Metrics of the process that sends, which may be the sum of several workers. */
  readonly registry: MetricsReading["registry"];
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Whether durations are counted by exponential buckets as well: for a collector only. */
export function countsExponentially(config: Config): boolean {
  return (
    isExported(config) &&
    config.OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION !== "explicit_bucket_histogram"
  );
}

/** Sends the metrics to a collector where the settings say so, and else loads and does nothing. */
export async function openMetricsExport(
  config: Config,
  { read, registry, log, now }: ExportOptions,
): Promise<OtlpMetrics> {
  if (!isExported(config)) return { close: async () => {} };
  const { openOtlpMetrics } = await import("../observe/otlp-metrics.ts");
  const counter = (outcome: "sent" | "dropped") => registry.counter("otel_metric_points_total", outcome);
  return openOtlpMetrics({ settings: config, version: programVersion(), read, counter, log, now });
}

function isExported({ OTEL_METRICS_EXPORTER, OTEL_SDK_DISABLED }: Config): boolean {
  return OTEL_METRICS_EXPORTER === "otlp" && !OTEL_SDK_DISABLED;
}

import type { Log } from "./log.ts";
import { type MetricsReading, metricsJson } from "./otlp-points.ts";
import { OtlpQueue } from "./otlp-queue.ts";
import { type OtlpSettings, otlpUrl, resourceJson, targetOf } from "./otlp-target.ts";
import type { Counter } from "./series.ts";

/** Data points of one request. One metric is never parted. */
const MOST_IN_BATCH = 512;

interface OtlpMetricsSettings extends OtlpSettings {
  readonly OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_METRICS_HEADERS: Readonly<Record<string, string>> | null;
  readonly OTEL_METRIC_EXPORT_INTERVAL: number;
  readonly OTEL_METRIC_EXPORT_TIMEOUT: number;
}

interface OtlpMetricsOptions {
  readonly settings: OtlpMetricsSettings;
  readonly version: string;
  /** @param isLast whether the process ends: nothing is asked for any more */
  readonly read: (isLast: boolean) => Promise<MetricsReading>;
  readonly counter: (outcome: "sent" | "dropped") => Counter;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

export interface OtlpMetrics {
  /** Sends the last numbers, for two seconds at most. */
  close(): Promise<void>;
}

/**
 * Sends all metrics to a collector once an interval. The counts are those since the start. So nothing is lost when a collector
 * misses some: while it takes the numbers before, newer ones are not even made.
 */
export function openOtlpMetrics({ settings, version, read, counter, log, now }: OtlpMetricsOptions): OtlpMetrics {
  const startedAt = now();
  const url = otlpUrl(settings, "metrics", settings.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT);
  const queue = new OtlpQueue({
    ...targetOf(settings, url, settings.OTEL_EXPORTER_OTLP_METRICS_HEADERS),
    ...{ what: "data points of metrics", log },
    ...{ delay: 0, patience: settings.OTEL_METRIC_EXPORT_TIMEOUT },
    ...{ mostQueued: Number.POSITIVE_INFINITY, mostInBatch: MOST_IN_BATCH },
    counted: (outcome, count) => counter(outcome).add(count),
    envelope: [
      `{"resourceMetrics":[{"resource":${resourceJson(settings, version)},"scopeMetrics":[{"scope":{"name":"content-api","version":"${version}"},"metrics":[`,
      "]}]}]}",
    ],
  });
  let sent = 0;
  let reading: Promise<void> | null = null;

  async function send(isLast: boolean): Promise<void> {
    try {
      const metrics = metricsJson(await read(isLast), { startedAt, now: now() });
      sent = metrics.reduce((sum, { count }) => sum + count, 0);
      for (const { json, count } of metrics) queue.add(() => json, count);
    } catch (error) {
      log.warn({ err: error }, "the metrics for the OpenTelemetry collector could not be read");
    }
  }

  const timer = setInterval(() => {
    if (reading !== null) return;
    if (!queue.isEmpty) return queue.refuse(sent, "the collector has not taken the metrics before");
    reading = send(false).finally(() => {
      reading = null;
    });
  }, settings.OTEL_METRIC_EXPORT_INTERVAL).unref();

  return {
    async close() {
      clearInterval(timer);
      await reading;
      await send(true);
      await queue.close();
    },
  };
}

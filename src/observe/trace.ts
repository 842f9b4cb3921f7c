import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { type OtlpCounts, OtlpQueue } from "./otlp-queue.ts";
import type { OtlpTarget } from "./otlp-send.ts";
import { attributesJson, type RootSpan, spansJson, textOf } from "./otlp-spans.ts";
import type { RequestRecord } from "./request-record.ts";

/** Traces kept after the fact in one second, at most: a flood of failures must not cost more than what fails. */
const KEPT_PER_SECOND = 50;

/** The settings of traces, under their own names. */
export interface TraceSettings {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>> | null;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  /** Null: none to this machine, gzip elsewhere. */
  readonly OTEL_EXPORTER_OTLP_COMPRESSION: OtlpTarget["compression"] | null;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_RESOURCE_ATTRIBUTES: Readonly<Record<string, string>> | null;
  readonly OTEL_BSP_SCHEDULE_DELAY: number;
  readonly OTEL_BSP_EXPORT_TIMEOUT: number;
  readonly OTEL_BSP_MAX_QUEUE_SIZE: number;
  readonly OTEL_BSP_MAX_EXPORT_BATCH_SIZE: number;
  readonly TRACE_SLOW: number | null;
}

export interface TraceOptions {
  readonly settings: TraceSettings;
  readonly version: string;
  readonly metrics?: Pick<Metrics, "counter">;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Sends traces to a collector, in OTLP as JSON. */
export interface Tracer {
  readonly counts: OtlpCounts;
  /**
   * Whether the spans of a record that has ended are sent: those of one that was chosen, and all the same one that failed by a
   * fault of ours or was slow.
   *
   * @param endedAt `performance.now()`
   */
  isKept(record: RequestRecord, endedAt: number, isFault: boolean): boolean;
  /** Sends them; for one that was not chosen, a single span with the times that are known of it. */
  keep(record: RequestRecord, root: RootSpan): void;
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

export function openTracer({ settings, version, metrics, log, now }: TraceOptions): Tracer {
  const resource = resourceJson(settings, version);
  const queue = new OtlpQueue({
    ...queueSettings(settings, tracesUrl(settings)),
    ...{ what: "spans", log },
    counted: (outcome, count) => metrics?.counter("otel_spans_total", outcome).add(count),
    envelope: [
      `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"content-api","version":"${version}"},"spans":[`,
      "]}]}]}",
    ],
  });
  let second = 0;
  let kept = 0;

  function mayKeep(at: number): boolean {
    const present = Math.floor(at / 1_000);
    if (present !== second) {
      second = present;
      kept = 0;
    }
    return kept++ < KEPT_PER_SECOND;
  }

  return {
    get counts() {
      return queue.counts;
    },
    isKept(record, endedAt, isFault) {
      if (record.spans !== null) return true;
      const { TRACE_SLOW } = settings;
      if (TRACE_SLOW === null) return false;
      return (isFault || endedAt - record.startedAt >= TRACE_SLOW) && mayKeep(endedAt);
    },
    keep(record, root) {
      const epoch = now() - performance.now();
      const whole =
        record.spans === null
          ? { ...root, attributes: `${textOf(root.attributes)},${attributesJson(timesOf(record))}` }
          : root;
      queue.add(() => spansJson(record, whole, epoch), 1 + (record.spans?.length ?? 0));
    },
    close: () => queue.close(),
  };
}

/** Settings that apply to every signal. */
export function queueSettings(settings: TraceSettings, url: string) {
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
  return {
    url,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    compression: settings.OTEL_EXPORTER_OTLP_COMPRESSION ?? (isHere ? ("none" as const) : ("gzip" as const)),
    timeout: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    delay: settings.OTEL_BSP_SCHEDULE_DELAY,
    patience: settings.OTEL_BSP_EXPORT_TIMEOUT,
    mostQueued: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    mostInBatch: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
  };
}

/** Facts about a request without recorded spans. */
function timesOf(record: RequestRecord) {
  return {
    "content_api.kept": true,
    "content_api.auth_ms": rounded(record.authMs),
    "content_api.plan_ms": rounded(record.planMs),
    "content_api.database_ms": rounded(record.databaseMs),
    "content_api.database_wait_ms": rounded(record.waitMs),
    "content_api.statements": record.statements,
  };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}

function tracesUrl({
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own,
  OTEL_EXPORTER_OTLP_ENDPOINT: base,
}: TraceSettings): string {
  return own ?? otlpUrl(base ?? "", "traces");
}

/** The path goes after that of the endpoint (OTLP exporter specification, "Endpoint URLs for OTLP/HTTP"). */
export function otlpUrl(endpoint: string, signal: "traces" | "logs"): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/${signal}`;
  return url.href;
}

/** The service as OTLP describes what spans and log lines come from. */
export function resourceJson(
  {
    OTEL_SERVICE_NAME,
    OTEL_RESOURCE_ATTRIBUTES,
  }: Pick<TraceSettings, "OTEL_SERVICE_NAME" | "OTEL_RESOURCE_ATTRIBUTES">,
  version: string,
): string {
  const attributes = {
    ...{ "service.version": version, "service.instance.id": randomUUID(), "host.name": hostname() },
    ...{ "process.pid": process.pid, ...OTEL_RESOURCE_ATTRIBUTES },
    "service.name": OTEL_SERVICE_NAME,
  };
  return `{"attributes":[${attributesJson(attributes)}]}`;
}

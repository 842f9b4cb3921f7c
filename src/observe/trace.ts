import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Log } from "./log.ts";
import { type OtlpCounts, OtlpQueue } from "./otlp-queue.ts";
import type { OtlpTarget } from "./otlp-send.ts";
import { attributesJson, type RootSpan, spansJson } from "./otlp-spans.ts";
import type { RequestRecord } from "./request-record.ts";

/** Traces kept after the fact in one second, at most: a flood of failures must not cost more than what fails. */
const KEPT_PER_SECOND = 50;

/** The settings of traces, under their own names. */
export interface TraceSettings {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>> | null;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  readonly OTEL_EXPORTER_OTLP_COMPRESSION: OtlpTarget["compression"];
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
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Sends traces to a collector, in OTLP as JSON. */
export interface Tracer {
  readonly counts: OtlpCounts;
  /**
   * Sends the spans of a record that has ended. One that was not chosen is kept all the same where it failed by a fault of
   * ours or was slow, with the times that are known of it.
   *
   * @param isFault whether it failed by a fault of this server
   */
  ended(record: RequestRecord, root: RootSpan, isFault: boolean): void;
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

export function openTracer({ settings, version, log, now }: TraceOptions): Tracer {
  const resource = resourceJson(settings, version);
  const queue = new OtlpQueue({
    ...{ what: "spans", url: tracesUrl(settings), log },
    ...queueSettings(settings),
    envelope: (spans) =>
      `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"content-api","version":"${version}"},"spans":[${spans}]}]}]}`,
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

  function keep(record: RequestRecord, root: RootSpan): void {
    const epoch = now() - performance.now();
    queue.add(spansJson(record, root, epoch), 1 + (record.spans?.length ?? 0));
  }

  return {
    get counts() {
      return queue.counts;
    },
    ended(record, root, isFault) {
      if (record.spans !== null) return keep(record, root);
      const { TRACE_SLOW } = settings;
      if (TRACE_SLOW === null) return;
      const isSlow = root.endedAt - record.startedAt >= TRACE_SLOW;
      if (!(isSlow || isFault) || !mayKeep(root.endedAt)) return;
      keep(record, { ...root, attributes: { ...root.attributes, ...timesOf(record) } });
    },
    close: () => queue.close(),
  };
}

/** What the settings say about every signal. */
export function queueSettings(settings: TraceSettings) {
  return {
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    compression: settings.OTEL_EXPORTER_OTLP_COMPRESSION,
    timeout: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    delay: settings.OTEL_BSP_SCHEDULE_DELAY,
    patience: settings.OTEL_BSP_EXPORT_TIMEOUT,
    mostQueued: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    mostInBatch: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
  };
}

/** What is known of a request of which no spans were recorded. */
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

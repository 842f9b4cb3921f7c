import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { type OtlpCounts, OtlpQueue } from "./otlp-queue.ts";
import { attributesJson, type RootSpan, spansJson, textOf } from "./otlp-spans.ts";
import { type BatchSettings, batchesOf, otlpUrl, resourceJson } from "./otlp-target.ts";
import type { RequestRecord } from "./request-record.ts";

/** Traces kept after the fact in one second, at most: a flood of failures must not cost more than what fails. */
const KEPT_PER_SECOND = 50;

/** The settings of traces, under their own names. */
interface TraceSettings extends BatchSettings {
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | null;
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
    ...batchesOf(settings, otlpUrl(settings, "traces", settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)),
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

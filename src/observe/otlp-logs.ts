import type { Log } from "./log.ts";
import { OtlpQueue } from "./otlp-queue.ts";
import { attributesJson, nanoseconds } from "./otlp-spans.ts";
import { type BatchSettings, batchesOf, otlpUrl, resourceJson } from "./otlp-target.ts";
import { fieldsOf } from "./record-fields.ts";
import { currentRecord } from "./request-record.ts";
import type { Attributes } from "./span.ts";

/** Numbers of severity in OTLP, in the order of levels. */
const SEVERITY = { debug: 5, info: 9, warn: 13, error: 17 } as const;
type Level = keyof typeof SEVERITY;

interface OtlpLogOptions {
  readonly settings: BatchSettings & { readonly LOG_LEVEL: Level | "silent" };
  readonly version: string;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** A log whose lines go to a collector as well. */
export interface OtlpLog extends Log {
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

/** @param log gets each line too, and alone those about lines that are dropped */
export function openOtlpLog(log: Log, { settings, version, now }: OtlpLogOptions): OtlpLog {
  const resource = resourceJson(settings, version);
  const queue = new OtlpQueue({
    ...batchesOf(settings, otlpUrl(settings, "logs")),
    ...{ what: "log lines", log },
    envelope: [
      `{"resourceLogs":[{"resource":${resource},"scopeLogs":[{"scope":{"name":"content-api"},"logRecords":[`,
      "]}]}]}",
    ],
  });
  const least = settings.LOG_LEVEL === "silent" ? Number.POSITIVE_INFINITY : SEVERITY[settings.LOG_LEVEL];
  const at = (level: Level) => (fields: object, message: string) => {
    log[level](fields, message);
    if (SEVERITY[level] >= least) queue.add(() => lineJson(level, fields, message, now()), 1);
  };
  return {
    ...{ debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
    often(fields, message) {
      if (log.often === undefined) log.info(fields, message);
      else log.often(fields, message);
      if (SEVERITY.info >= least) queue.add(() => lineJson("info", fields, message, now()), 1);
    },
    close: () => queue.close(),
  };
}

/** `LogRecord` of OTLP. */
function lineJson(level: Level, fields: object, message: string, at: number): string {
  const { requestId, ...given } = fields as Record<string, unknown>;
  const own = requestId === undefined ? {} : { request_id: requestId };
  const all: Record<string, unknown> = { ...fieldsOf(currentRecord()), ...own, ...given };
  const { trace_id: traceId, span_id: spanId, ...others } = all;
  const place = typeof traceId === "string" ? `,"traceId":"${traceId}","spanId":"${spanId}"` : "";
  return (
    `{"timeUnixNano":"${nanoseconds(at)}","severityNumber":${SEVERITY[level]},"severityText":"${level}"` +
    `,"body":{"stringValue":${JSON.stringify(message.toWellFormed())}}${place},"attributes":[${attributesJson(flat(others))}]}`
  );
}

/** Errors by their stack, as the log itself has them; other objects as JSON. */
function flat(fields: Readonly<Record<string, unknown>>): Attributes {
  const flattened: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (typeof value === "string" || typeof value === "boolean") flattened[name] = value;
    else if (typeof value === "number") {
      if (Number.isFinite(value)) flattened[name] = value;
    } else if (value instanceof Error) {
      flattened["exception.type"] = value.name;
      flattened["exception.stacktrace"] = value.stack ?? "";
    } else flattened[name] = JSON.stringify(value) ?? "";
  }
  return flattened;
}

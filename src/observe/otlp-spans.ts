import type { RequestRecord } from "./request-record.ts";
import type { Attributes, AttributesJson, Span, SpanFacts } from "./span.ts";
import type { RemoteContext } from "./trace-context.ts";

/** Flags of a span that is sampled and whose parent is known to be elsewhere (OTLP, `SpanFlags`). */
const FLAGS = 0x0101;
const FLAGS_REMOTE = 0x0301;
const STATUS_ERROR = 2;

/** The span of the whole. */
export interface RootSpan extends SpanFacts {
  readonly name: string;
  readonly kind: Span["kind"];
  /** `performance.now()`. */
  readonly endedAt: number;
}

/**
 * The spans of a record that has ended as OTLP has them in JSON, separated by commas.
 *
 * @param epoch milliseconds of Unix time at which `performance.now()` was 0
 */
export function spansJson(record: RequestRecord, root: RootSpan, epoch: number): string {
  const { traceId, parent, startedAt } = record;
  const head = `{"traceId":"${traceId}"`;
  const lost = record.lostSpans === 0 ? "" : `,${attributesJson({ "content_api.spans_dropped": record.lostSpans })}`;
  const whole = {
    ...{ name: root.name, kind: root.kind, spanId: record.rootId, parentId: parent?.spanId ?? "" },
    ...{ startedAt, endedAt: root.endedAt, error: root.error ?? null, attributes: textOf(root.attributes) + lost },
  };
  let json = head + spanJson(whole, epoch, parent === null ? FLAGS : FLAGS_REMOTE);
  if (parent?.state != null) json += `,"traceState":${JSON.stringify(parent.state)}`;
  if (record.links !== null) json += `,"links":[${record.links.map(linkJson).join(",")}]`;
  json += "}";
  for (const span of record.spans ?? []) json += `,${head}${spanJson(span, epoch, FLAGS)}}`;
  return json;
}

/** All fields but the trace, without the braces. */
function spanJson(span: Span, epoch: number, flags: number): string {
  const { name, kind, spanId, parentId, startedAt, endedAt, attributes, error } = span;
  const status = error === null ? "" : `,"status":{"code":${STATUS_ERROR}}`;
  const above = parentId === "" ? "" : `,"parentSpanId":"${parentId}"`;
  return (
    `,"spanId":"${spanId}"${above},"flags":${flags},"name":${JSON.stringify(name)},"kind":${kind}` +
    `,"startTimeUnixNano":"${nanoseconds(epoch + startedAt)}","endTimeUnixNano":"${nanoseconds(epoch + endedAt)}"` +
    `,"attributes":[${error === null ? textOf(attributes) : withError(attributes, error)}]${status}`
  );
}

export function textOf(attributes: RootSpan["attributes"] = ""): AttributesJson {
  return typeof attributes === "string" ? attributes : attributesJson(attributes);
}

function withError(attributes: Span["attributes"], error: string): AttributesJson {
  return [textOf(attributes), attributesJson({ "error.type": error })].filter((text) => text !== "").join(",");
}

function linkJson({ traceId, spanId, isSampled }: RemoteContext): string {
  return `{"traceId":"${traceId}","spanId":"${spanId}","flags":${isSampled ? 0x0301 : 0x0300}}`;
}

/** As `KeyValue` of OTLP, separated by commas. */
export function attributesJson(attributes: Attributes): string {
  let json = "";
  for (const name in attributes) {
    const value = attributes[name];
    if (value === undefined) continue;
    json += `${json === "" ? "" : ","}{"key":"${name}","value":${valueJson(value)}}`;
  }
  return json;
}

function valueJson(value: string | number | boolean): string {
  if (typeof value === "string") return `{"stringValue":${JSON.stringify(value.toWellFormed())}}`;
  if (typeof value === "boolean") return `{"boolValue":${value}}`;
  return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`;
}

/** @param milliseconds of Unix time, whose nanoseconds are beyond the whole numbers that a number can have */
export function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return `${whole}${String(Math.floor((milliseconds - whole) * 1e6)).padStart(6, "0")}`;
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { Sampling } from "./sampling.ts";
import { KIND, type Span, type SpanFacts, type SpanKind } from "./span.ts";
import { newSpanId, newTraceId, type RemoteContext, writeTraceparent } from "./trace-context.ts";

/** Limit: spans of one trace. More are counted only. */
const MOST_SPANS = 256;
const MOST_LINKS = 8;

/** Notes about one request, or about one work that no request asks for, until it ends. Times are in milliseconds. */
export class RequestRecord {
  readonly requestId: string;
  /** `performance.now()`. */
  readonly startedAt: number;
  /** Null without traces. */
  readonly sampling: Sampling | null;
  /** Null until the document is known, and outside GraphQL. */
  operationType: string | null = null;
  operationName: string | null = null;
  /** Text of the document, from which its hash is made when it is wanted. */
  document: string | null = null;
  cost = 0;
  statements = 0;
  rows = 0;
  /** For a connection to the database, or for other writes. */
  waitMs = 0;
  databaseMs = 0;
  /** For making texts of what was read. */
  textMs = 0;
  authMs = 0;
  planMs = 0;
  /** Code of the first error of the answer. */
  errorCode: string | null = null;
  /** Whether the caller may see how long the parts took. */
  showsTimes = false;
  isEnded = false;
  /** The caller's place in the trace that this request joins. */
  parent: RemoteContext | null = null;
  /** Traces that others have told of, and that this one is not part of. */
  links: RemoteContext[] | null = null;
  /** Null where they are not recorded. */
  spans: Span[] | null = null;
  lostSpans = 0;
  readonly #draw: number;
  #traceId: string | null = null;
  #rootId: string | null = null;
  /** The span around all that begins now. */
  #openId: string | null = null;

  constructor(requestId: string, startedAt: number, sampling: Sampling | null) {
    this.requestId = requestId;
    this.startedAt = startedAt;
    this.sampling = sampling;
    this.#draw = sampling === null ? 0 : Math.floor(Math.random() * 2 ** 32);
  }

  /** Decides whether spans are recorded. @param parent null where no caller has a say */
  choose(parent: RemoteContext | null): void {
    this.parent = parent;
    this.spans = this.sampling?.choose(parent, this.#draw) ? [] : null;
  }

  /**
   * Takes note of a trace that the content of a request names. Nobody has checked where that comes from, so it is joined only if
   * every caller's is; otherwise it is linked.
   */
  meet(other: RemoteContext | null): void {
    if (other === null || this.sampling === null || this.sampling.trust === "none") return;
    if (this.sampling.trust === "all" && this.parent === null && this.#traceId === null) this.choose(other);
    else this.link(other);
  }

  link(other: RemoteContext): void {
    this.links ??= [];
    if (this.links.length < MOST_LINKS) this.links.push(other);
  }

  get traceId(): string {
    this.#traceId ??= this.parent?.traceId ?? newTraceId(this.#draw);
    return this.#traceId;
  }

  /** Id of the span of the whole. */
  get rootId(): string {
    this.#rootId ??= newSpanId();
    return this.#rootId;
  }

  /** Id of the span around all that begins now. */
  get openId(): string {
    return this.#openId ?? this.rootId;
  }

  /** The value to send on to others; null without traces. */
  traceparent(spanId = this.openId): string | null {
    return this.sampling === null ? null : writeTraceparent(this.traceId, spanId, this.spans !== null);
  }

  /** Begins a span around all that begins until it ends. Null where none is recorded. */
  begin(name: string, kind: SpanKind = KIND.internal, startedAt?: number): Span | null {
    if (this.spans === null || this.isEnded) return null;
    const span = newSpan(name, kind, this.openId, startedAt ?? performance.now());
    this.#openId = span.spanId;
    return span;
  }

  end(span: Span | null, { attributes = {}, error = null }: SpanFacts = {}, endedAt = performance.now()): void {
    if (span === null || !Number.isNaN(span.endedAt)) return;
    if (this.#openId === span.spanId) this.#openId = span.parentId;
    Object.assign(span, { endedAt, error, attributes });
    this.#keep(span);
  }

  /** Forgets a span that has just begun, with nothing within it. */
  cancel(span: Span | null): void {
    if (span !== null && this.#openId === span.spanId) this.#openId = span.parentId;
  }

  /** Adds a span with nothing within it, which has just ended. */
  add(name: string, kind: SpanKind, startedAt: number, { attributes = {}, error = null }: SpanFacts = {}): void {
    if (this.spans === null || this.isEnded) return;
    const span = newSpan(name, kind, this.openId, startedAt);
    Object.assign(span, { endedAt: performance.now(), error, attributes });
    this.#keep(span);
  }

  #keep(span: Span): void {
    if (this.spans === null || this.isEnded) return;
    if (this.spans.length < MOST_SPANS) this.spans.push(span);
    else this.lostSpans++;
  }
}

function newSpan(name: string, kind: SpanKind, parentId: string, startedAt: number): Span {
  return { name, kind, spanId: newSpanId(), parentId, startedAt, endedAt: Number.NaN, attributes: {}, error: null };
}

/** A context costs 0.17 microseconds for each request (measured on Node 24), much less than its parts would to pass a record on. */
const records = new AsyncLocalStorage<RequestRecord | undefined>();

/** The record of what runs now; undefined where nothing is noted, and after its end. */
export function currentRecord(): RequestRecord | undefined {
  const record = records.getStore();
  return record === undefined || record.isEnded ? undefined : record;
}

/** Runs work whose parts, now and later, find this record. @param record undefined or null for work on nobody's behalf */
export function withRecord<T>(record: RequestRecord | undefined | null, work: () => T): T {
  return records.run(record ?? undefined, work);
}

import { documentHash } from "./document-hash.ts";
import type { Log } from "./log.ts";
import { attributesJson } from "./otlp-spans.ts";
import { fieldsOf } from "./record-fields.ts";
import { RequestRecord, withRecord } from "./request-record.ts";
import type { Sampling } from "./sampling.ts";
import { type Attributes, type AttributesJson, KIND } from "./span.ts";
import type { Tracer } from "./trace.ts";
import { type RemoteContext, readTraceparent } from "./trace-context.ts";

/** The settings that are read here, under their own names. */
interface ObserverSettings {
  readonly SLOW_REQUEST: number | null;
  readonly ACCESS_LOG: "off" | "errors" | number;
  readonly SERVER_TIMING: "off" | "on";
  readonly OTEL_GRAPHQL_DOCUMENT: boolean;
}

export interface ObserverOptions {
  readonly settings: ObserverSettings;
  /** Null without traces. */
  readonly tracing: { readonly tracer: Tracer; readonly sampling: Sampling } | null;
  /** `http` or `https`, of the public URL. */
  readonly scheme: string;
  /** Gets lines of requests. */
  readonly log: Log;
}

/** A request as far as it matters here. */
interface ObservedHead {
  readonly requestId: string;
  /** `performance.now()`. */
  readonly startedAt: number;
  readonly traceparent: unknown;
  readonly tracestate: unknown;
  /** Whether the request comes from where traces are taken over from. */
  readonly isTrusted: () => boolean;
  /** Whether the caller is on this machine. */
  readonly isLocal: () => boolean;
}

/** How a request was answered. `route` is the pattern and never the path. */
export interface ObservedAnswer {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/** Sees requests from their heads to their answers. */
export interface Observer {
  begin(head: ObservedHead): RequestRecord;
  /** To be called once, when the answer goes out. */
  answered(record: RequestRecord, answer: ObservedAnswer): void;
  /** An operation over WebSocket. */
  operationEnded(record: RequestRecord): void;
  /** Runs work that no request asks for as a trace of its own. */
  background<T>(name: string, work: () => Promise<T>, attributes?: Attributes): Promise<T>;
}

/** Kinds of answers whose attributes are kept. Methods are the caller's to choose. */
const MOST_ANSWERS = 500;
const FAULTS: ReadonlySet<string> = new Set(["INTERNAL", "UNAVAILABLE"]);

export function openObserver({ settings, tracing, scheme, log }: ObserverOptions): Observer {
  const { SLOW_REQUEST: slow, ACCESS_LOG: access } = settings;
  const sampling = tracing?.sampling ?? null;
  const often = (fields: object, message: string) =>
    log.often === undefined ? log.info(fields, message) : log.often(fields, message);
  const answers = new Map<string, AttributesJson>();
  const showsTimes = settings.SERVER_TIMING === "on";

  function join(record: RequestRecord, { traceparent, tracestate, isTrusted }: ObservedHead): void {
    const remote: RemoteContext | null =
      traceparent === undefined || sampling?.trust === "none" ? null : readTraceparent(traceparent, tracestate);
    const isParent = remote !== null && isTrusted();
    record.choose(isParent ? remote : null);
    if (remote !== null && !isParent) record.link(remote);
  }

  /** @param describe made only for what is kept, as few are */
  function end(record: RequestRecord, answer: ObservedAnswer, endedAt: number, describe: typeof rootAttributes): void {
    const { errorCode } = record;
    const { method, route, status } = answer;
    record.isEnded = true;
    if (tracing === null) return;
    const isFault = status >= 500 || (errorCode !== null && FAULTS.has(errorCode));
    if (!tracing.tracer.isKept(record, endedAt, isFault)) return;
    const error = status >= 500 ? `${status}` : isFault ? errorCode : null;
    const attributes = describe(record, answer);
    tracing.tracer.keep(record, { name: `${method} ${route}`, kind: KIND.server, endedAt, attributes, error });
  }

  function rootAttributes({ requestId }: RequestRecord, { method, route, status }: ObservedAnswer): AttributesJson {
    const key = `${method} ${route} ${status}`;
    let known = answers.get(key);
    if (known === undefined) {
      known = attributesJson({
        ...{ "http.request.method": method, "http.route": route, "http.response.status_code": status },
        "url.scheme": scheme,
      });
      if (answers.size < MOST_ANSWERS) answers.set(key, known);
    }
    return `${known},{"key":"content_api.request_id","value":{"stringValue":"${requestId}"}}`; // no character of it needs an escape
  }

  /** One line for the request; of a slow one, with what took how long. */
  function tell(record: RequestRecord, { method, route, status }: ObservedAnswer, endedAt: number): void {
    const ms = endedAt - record.startedAt;
    const isSlow = slow !== null && ms >= slow;
    const isWanted = access !== "off" && (access === "errors" ? status >= 500 : access === 1 || Math.random() < access);
    if (!isSlow && !isWanted) return;
    const fields = { ...fieldsOf(record), method, route, status, ms: rounded(ms), ...operationOf(record) };
    if (isWanted) often({ ...fields, ...errorOf(record) }, "request");
    if (isSlow) log.warn({ ...fields, ...errorOf(record), ...partsOf(record) }, "a request was slow");
  }

  return {
    begin(head) {
      const record = new RequestRecord(head.requestId, head.startedAt, sampling);
      if (sampling !== null) join(record, head);
      if (showsTimes) record.showsTimes = head.isLocal();
      return record;
    },
    answered(record, answer) {
      if (record.isEnded) return;
      const endedAt = performance.now();
      tell(record, answer, endedAt);
      end(record, answer, endedAt, rootAttributes);
    },
    operationEnded(record) {
      if (record.isEnded) return;
      const endedAt = performance.now();
      const answer = { method: "WS", route: "/graphql", status: 200 };
      tell(record, answer, endedAt);
      end(record, answer, endedAt, ({ requestId }) =>
        attributesJson({
          ...{ "http.route": "/graphql", "network.protocol.name": "websocket" },
          "content_api.request_id": requestId,
        }),
      );
    },
    async background(name, work, attributes = {}) {
      if (tracing === null) return work();
      const record = new RequestRecord("", performance.now(), sampling);
      record.choose(null);
      let error: string | null = null;
      try {
        return await withRecord(record, work);
      } catch (thrown) {
        error = thrown instanceof Error ? thrown.name : "_OTHER";
        throw thrown;
      } finally {
        record.isEnded = true;
        const failed = error ?? record.errorCode;
        const endedAt = performance.now();
        if (tracing.tracer.isKept(record, endedAt, failed !== null))
          tracing.tracer.keep(record, { name, kind: KIND.internal, endedAt, attributes, error: failed });
      }
    },
  };
}

function operationOf(record: RequestRecord): object {
  const { operationType: type, document, cost } = record;
  if (type === null) return {};
  return { type, cost, ...(document === null ? {} : { document: documentHash(document) }) };
}

function errorOf({ errorCode }: RequestRecord): object {
  return errorCode === null ? {} : { error: errorCode };
}

function partsOf(record: RequestRecord): object {
  const { statements, rows, waitMs, databaseMs, textMs, authMs, planMs } = record;
  const times = { auth_ms: authMs, plan_ms: planMs, wait_ms: waitMs, database_ms: databaseMs, text_ms: textMs };
  const shown = Object.entries(times).map(([name, value]) => [name, rounded(value)]);
  return { statements, rows, ...Object.fromEntries(shown) };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

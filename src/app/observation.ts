import { createRequire } from "node:module";
import { basename } from "node:path";
import type { Config } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { isLocal } from "../http/local-caller.ts";
import { openTrustedCaller } from "../http/request-id.ts";
import type { Log } from "../observe/log.ts";
import { type Observer, openObserver } from "../observe/observer.ts";
import type { RequestWatch } from "../observe/request-watch.ts";
import { openSampling } from "../observe/sampling.ts";
import { openStatementWatch, type StatementWatch } from "../observe/statement-watch.ts";
import type { TraceOptions, Tracer } from "../observe/trace.ts";

/** Notes about requests and statements beyond the metrics: traces, slow ones, and lines for each. */
export interface Observation {
  /** Null where nothing is noted of requests. */
  readonly watch: RequestWatch | null;
  /** Null where nothing is noted of statements. */
  readonly statements: StatementWatch | null;
  readonly background: Observer["background"];
  /** Null without traces. */
  readonly tracer: Tracer | null;
  close(): Promise<void>;
}

/** The log, whose lines go to a collector as well where the settings say so. */
export async function observedLog(
  config: Config,
  log: Log,
  now: () => number,
): Promise<{ readonly log: Log; readonly closeLog: () => Promise<void> }> {
  const isWanted = config.OTEL_LOGS_EXPORTER === "otlp" && !config.OTEL_SDK_DISABLED;
  if (!isWanted) return { log, closeLog: async () => {} };
  const { openOtlpLog } = await import("../observe/otlp-logs.ts");
  const opened = openOtlpLog(log, { settings: config, version: programVersion(), now });
  return { log: opened, closeLog: opened.close };
}

function programVersion(): string {
  return (createRequire(import.meta.url)("../../package.json") as { version: string }).version;
}

/** Requests of operators and their tools, of which nothing is noted. */
const UNSEEN: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"]);

/** Traces are loaded only where a setting has an endpoint for them. */
export async function openObservation(
  config: Config,
  options: Pick<TraceOptions, "metrics" | "log" | "now">,
): Promise<Observation> {
  const tracing = hasTraces(config) ? await openTracing(config, options) : null;
  const { protocol } = new URL(config.BASE_URL);
  const observer = openObserver({ settings: config, tracing, scheme: protocol.slice(0, -1), log: options.log });
  const isWanted =
    tracing !== null ||
    config.SLOW_REQUEST !== null ||
    config.SLOW_QUERY !== null ||
    config.ACCESS_LOG !== "off" ||
    config.SERVER_TIMING === "on";
  return {
    watch: isWanted ? openWatch(config, observer) : null,
    statements: isWanted ? openStatementWatch({ ...database(config), ...config, log: options.log }) : null,
    background: observer.background,
    tracer: tracing?.tracer ?? null,
    close: async () => tracing?.tracer.close(),
  };
}

function hasTraces(config: Config): boolean {
  if (config.OTEL_SDK_DISABLED) return false;
  return config.OTEL_EXPORTER_OTLP_ENDPOINT !== null || config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== null;
}

async function openTracing(config: Config, options: Pick<TraceOptions, "metrics" | "log" | "now">) {
  const { openTracer } = await import("../observe/trace.ts");
  return {
    tracer: openTracer({ settings: config, version: programVersion(), ...options }),
    sampling: openSampling(config.OTEL_TRACES_SAMPLER, config.OTEL_TRACES_SAMPLER_ARG, config.TRACE_CONTEXT),
  };
}

function openWatch(config: Config, observer: Observer): RequestWatch {
  const isTrusted = openTrustedCaller(config);
  return {
    begin(request, requestId, startedAt) {
      if (UNSEEN.has(request.url ?? "")) return null;
      const { traceparent, tracestate } = request.headers;
      return observer.begin({
        requestId,
        startedAt,
        traceparent,
        tracestate,
        isTrusted: () => isTrusted(request),
        isLocal: () => isLocal(request),
      });
    },
    end(record, answer) {
      if (record !== null) observer.answered(record, answer);
    },
    beginOperation(requestId, place, traceparent) {
      const startedAt = performance.now();
      return observer.begin({
        ...{ requestId, startedAt, traceparent, tracestate: undefined },
        isTrusted: () => config.TRACE_CONTEXT === "all", // a proxy sees the head of the first request only
        isLocal: () => place.isLocal,
      });
    },
    endOperation(record) {
      if (record !== null) observer.operationEnded(record);
    },
  };
}

/** The database as traces name it: never with an address or a password. */
function database(config: Config): { readonly system: "sqlite" | "postgresql"; readonly namespace: string } {
  const file = databaseFile(config);
  if (file !== null) return { system: "sqlite", namespace: basename(file) };
  const name = URL.parse(config.DATABASE_URL)?.pathname.slice(1);
  return { system: "postgresql", namespace: name === undefined || name === "" ? "postgres" : decodeURIComponent(name) };
}

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { OtlpTarget } from "./otlp-send.ts";
import { attributesJson } from "./otlp-spans.ts";

/** Settings that apply to every signal, under their own names. */
export interface OtlpSettings {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>> | null;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  /** Null: none to this machine, gzip elsewhere. */
  readonly OTEL_EXPORTER_OTLP_COMPRESSION: OtlpTarget["compression"] | null;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_RESOURCE_ATTRIBUTES: Readonly<Record<string, string>> | null;
}

/** Settings of spans and log lines, which are sent in batches as they come. */
export interface BatchSettings extends OtlpSettings {
  readonly OTEL_BSP_SCHEDULE_DELAY: number;
  readonly OTEL_BSP_EXPORT_TIMEOUT: number;
  readonly OTEL_BSP_MAX_QUEUE_SIZE: number;
  readonly OTEL_BSP_MAX_EXPORT_BATCH_SIZE: number;
}

/** Target and batches of spans and log lines. */
export function batchesOf(settings: BatchSettings, url: string) {
  return {
    ...targetOf(settings, url),
    delay: settings.OTEL_BSP_SCHEDULE_DELAY,
    patience: settings.OTEL_BSP_EXPORT_TIMEOUT,
    mostQueued: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    mostInBatch: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
  };
}

/** The collector at this URL. @param headers of one signal, which replace those of all */
export function targetOf(settings: OtlpSettings, url: string, headers: OtlpTarget["headers"] | null = null) {
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
  return {
    url,
    headers: headers ?? settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    compression: settings.OTEL_EXPORTER_OTLP_COMPRESSION ?? (isHere ? ("none" as const) : ("gzip" as const)),
    timeout: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
  };
}

/**
 * The URL for one signal. The path goes after that of the endpoint (OTLP exporter specification, "Endpoint URLs for OTLP/HTTP").
 *
 * @param own the whole URL for this signal, where a setting has it
 */
export function otlpUrl(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Pick<OtlpSettings, "OTEL_EXPORTER_OTLP_ENDPOINT">,
  signal: "traces" | "logs" | "metrics",
  own: string | null = null,
): string {
  if (own !== null) return own;
  const url = new URL(endpoint ?? "");
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/${signal}`;
  return url.href;
}

/** One process in all that it sends. */
const instance = randomUUID();

/** The service as OTLP describes what signals come from. */
export function resourceJson(
  { OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES }: Pick<OtlpSettings, "OTEL_SERVICE_NAME" | "OTEL_RESOURCE_ATTRIBUTES">,
  version: string,
): string {
  const attributes = {
    ...{ "service.version": version, "service.instance.id": instance, "host.name": hostname() },
    ...{ "process.pid": process.pid, ...OTEL_RESOURCE_ATTRIBUTES },
    "service.name": OTEL_SERVICE_NAME,
  };
  return `{"attributes":[${attributesJson(attributes)}]}`;
}

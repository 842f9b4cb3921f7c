import { accessLog, endpointUrl, headerPairs, pairs, ratio, standard, threshold } from "./observation-forms.ts";
import { count, flag, oneOf, text } from "./setting.ts";
import { variable } from "./variable.ts";

/** Settings for the duration of requests in the log and in answers. */
export const OBSERVATION_VARIABLES = {
  ACCESS_LOG: variable(
    accessLog,
    "off",
    "Requests that are logged, one line each: off, errors (status 500 and above), all, or a share such as 0.01.",
  ),
  SLOW_REQUEST: variable(
    threshold,
    "off",
    "Requests that take as long are logged, with the time that each part took, such as 1s, or off. Costs each request some microseconds.",
  ),
  SLOW_QUERY: variable(
    threshold,
    "off",
    "SQL statements that take as long are logged, with their plan once a minute for each, such as 250ms, or off. Costs each request some microseconds.",
  ),
  SERVER_TIMING: variable(
    oneOf("off", "on"),
    "off",
    "Adds Server-Timing to answers of /graphql (auth, plan, db, total and the trace), for tokens with the scope admin and for callers on this machine.",
  ),
} as const;

const SAMPLERS = [
  ...["always_on", "always_off", "traceidratio"],
  ...["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"],
] as const;

/** Traces, metrics and log lines by OpenTelemetry. The names of `OTEL_…` are standard: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables */
export const TRACE_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: standard(
    endpointUrl,
    null,
    "URL of an OpenTelemetry collector, such as http://localhost:4318. Traces go to URL/v1/traces as OTLP in JSON. Without an endpoint there are none.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: standard(
    endpointUrl,
    null,
    "Whole URL for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT.",
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: standard(
    oneOf("http/json"),
    null,
    "Protocol for the collector: http/json, the default, and the only one that this program speaks.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: standard(
    headerPairs,
    null,
    "Header fields for the collector, such as authorization=Bearer%20TOKEN, separated by commas.",
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: standard(count(1, 600_000), "10000", "Milliseconds for one request to the collector."),
  OTEL_EXPORTER_OTLP_COMPRESSION: standard(
    oneOf("gzip", "none"),
    null,
    "Compression of requests to the collector: gzip or none. Defaults to none for a collector on this machine, and to gzip elsewhere.",
  ),
  OTEL_SERVICE_NAME: standard(text(255), "content-api", "Name of this service in traces."),
  OTEL_RESOURCE_ATTRIBUTES: standard(
    pairs,
    null,
    "Further attributes of this service, such as deployment.environment.name=production, separated by commas.",
  ),
  OTEL_TRACES_SAMPLER: standard(
    oneOf(...SAMPLERS),
    "parentbased_traceidratio",
    `Choice of the requests that are traced: ${SAMPLERS.join(", ")}. parentbased: as the caller's traceparent says, if TRACE_CONTEXT takes it over.`,
  ),
  OTEL_TRACES_SAMPLER_ARG: standard(
    ratio,
    "0.05",
    "Share of the requests that are traced, from 0 to 1, for samplers with traceidratio.",
  ),
  OTEL_BSP_SCHEDULE_DELAY: standard(count(1, 600_000), "5000", "Milliseconds between two batches of spans, at most."),
  OTEL_BSP_EXPORT_TIMEOUT: standard(
    count(1, 600_000),
    "30000",
    "Milliseconds after which a batch is dropped that the collector does not accept.",
  ),
  OTEL_BSP_MAX_QUEUE_SIZE: standard(
    count(1, 1_000_000),
    "2048",
    "Limit: spans that wait for the collector. More are dropped, and counted.",
  ),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: standard(count(1, 100_000), "512", "Limit: spans of one batch."),
  OTEL_SDK_DISABLED: standard(
    flag,
    "false",
    "Turns off traces, metrics and log lines for the collector, whatever the other settings say.",
  ),
  OTEL_LOGS_EXPORTER: standard(
    oneOf("none", "otlp"),
    "none",
    "otlp: log lines go to OTEL_EXPORTER_OTLP_ENDPOINT as well, at URL/v1/logs.",
  ),
  OTEL_METRICS_EXPORTER: standard(
    oneOf("none", "otlp"),
    "none",
    "otlp: the metrics of /metrics go to OTEL_EXPORTER_OTLP_ENDPOINT as well, at URL/v1/metrics.",
  ),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: standard(
    endpointUrl,
    null,
    "Whole URL for metrics, instead of OTEL_EXPORTER_OTLP_ENDPOINT.",
  ),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: standard(
    headerPairs,
    null,
    "Header fields of requests with metrics, instead of OTEL_EXPORTER_OTLP_HEADERS.",
  ),
  OTEL_METRIC_EXPORT_INTERVAL: standard(
    count(10, 86_400_000),
    "60000",
    "Milliseconds from one sending of the metrics to the next.",
  ),
  OTEL_METRIC_EXPORT_TIMEOUT: standard(
    count(1, 600_000),
    "30000",
    "Milliseconds after which metrics are dropped that the collector does not accept. The next sending has them again.",
  ),
  OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION: standard(
    oneOf("base2_exponential_bucket_histogram", "explicit_bucket_histogram"),
    "base2_exponential_bucket_histogram",
    "Buckets of durations for the collector: exponential ones, each 9 % wide, or explicit_bucket_histogram for those of /metrics, which every collector and database takes.",
  ),
  OTEL_GRAPHQL_DOCUMENT: variable(
    flag,
    "false",
    "Adds the text of GraphQL documents to traces. Documents may contain personal data where clients write values into them.",
  ),
  TRACE_CONTEXT: variable(
    oneOf("proxy", "all", "none"),
    "proxy",
    "Callers whose traceparent decides whether their request is traced, and whose trace it joins. proxy: requests that come from TRUST_PROXY directly. all: every caller. Other callers' traces are linked. none: traceparent is ignored. x-request-id is taken over from the same callers.",
  ),
  TRACE_SLOW: variable(
    threshold,
    "1s",
    "Requests that take as long, or fail with a fault of this server, are traced even if they were not chosen, with one span. off keeps none of them.",
  ),
  SQL_TRACE_COMMENT: variable(
    flag,
    "false",
    "Adds the traceparent of traced requests to their SQL statements as a comment, for the log of PostgreSQL. Such statements are not prepared.",
  ),
} as const;

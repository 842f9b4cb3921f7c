import { ANY, counter, gauge, histogram } from "./metric-row.ts";

/** Methods of HTTP that are told apart. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Seconds: those of OpenTelemetry's http.server.request.duration, and three for answers from memory (O22). */
const REQUEST_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const;
/** Seconds: few, because each name of an operation has them. */
const OPERATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5] as const;

/** Metrics of what the program does for its callers. */
export const SERVICE_METRICS = {
  http_request_duration_seconds: histogram("Time from when a request is begun to the end of its answer, in seconds.", {
    buckets: REQUEST_BUCKETS,
    labels: [
      ["method", METHODS],
      ["route", ANY],
      ["status", ANY],
    ],
    most: 68,
  }),
  http_requests_shed_total: counter("Requests rejected with 503 under overload, by what was short.", {
    labels: [["reason", ["delay", "in_flight", "memory"]]],
    most: 3,
  }),
  graphql_operation_duration_seconds: histogram(
    "Time from the request to the answer of a GraphQL operation, in seconds. For subscriptions, the time until they begin.",
    {
      buckets: OPERATION_BUCKETS,
      labels: [
        ["type", ["query", "mutation", "subscription"]],
        ["operation", ANY],
      ],
      most: 120,
    },
  ),
  graphql_errors_total: counter("Errors in answers of GraphQL, by their code.", { labels: [["code", ANY]], most: 20 }),
  graphql_plan_cache_total: counter("Operations of GraphQL, by whether their plan was in the cache.", {
    labels: [["result", ["hit", "miss"]]],
    most: 2,
  }),
  graphql_cost_rejected_total: counter("Operations of GraphQL that were rejected because of their cost."),
  graphql_subscriptions: gauge("Subscriptions that are open."),
  otel_spans_total: counter(
    "Spans for the OpenTelemetry collector, by outcome: sent, or dropped because it takes no more.",
    {
      labels: [["outcome", ["sent", "dropped"]]],
      most: 2,
    },
  ),
  otel_metric_points_total: counter(
    "Data points of metrics for the OpenTelemetry collector, by outcome: sent, or dropped because it takes no more.",
    {
      labels: [["outcome", ["sent", "dropped"]]],
      most: 2,
    },
  ),
  auth_events_total: counter(
    "Decisions of the authorization server and of administrators, as the audit has them, by event and result.",
    {
      labels: [
        ["event", ANY],
        ["result", ANY],
      ],
      most: 100,
    },
  ),
  tokens_verified_total: counter("Access tokens that were checked, by whether the answer was in the cache.", {
    labels: [["cache", ["hit", "miss"]]],
    most: 2,
  }),
  keys_age_seconds: gauge("Age of the newest signing key, in seconds.", { isShared: true }),
  mcp_calls_total: counter(
    "Calls of tools by agents, by tool and outcome: ok, failed (the answer says so), rejected, error (a fault of the server).",
    {
      labels: [
        ["tool", ANY],
        ["outcome", ["ok", "failed", "rejected", "error"]],
      ],
      most: 80,
    },
  ),
  events_lag_seconds: gauge("Time from the latest event to when the process handed it to its subscribers, in seconds."),
  outbox_pending: gauge(
    "Events that are not handed to webhooks yet, and deliveries to webhooks that are due; counted up to 10,000 each.",
    { isShared: true },
  ),
  outbox_oldest_seconds: gauge("Time for which the oldest of them has waited beyond its turn, in seconds.", {
    isShared: true,
  }),
  webhook_calls_total: counter("Calls to webhooks, by outcome; retried: another attempt is scheduled.", {
    labels: [["outcome", ["delivered", "retried", "failed"]]],
    most: 3,
  }),
  content_api_mails_total: counter("Attempts to send a mail, by outcome; dropped: there was nothing to send.", {
    labels: [["outcome", ["sent", "retried", "failed", "dropped"]]],
    most: 4,
  }),
  content_api_mails_waiting: gauge("Mails that wait to be sent.", { isShared: true }),
  content_api_mails_oldest_seconds: gauge("Age of the oldest mail that waits, in seconds.", { isShared: true }),
  readiness: gauge("Whether each check of /readyz passed when the page was asked for: 1 or 0.", {
    labels: [["check", ["store", "migrations", "keys", "listen"]]],
    most: 4,
    isShared: true,
  }),
} as const;

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { METRICS } from "../../src/observe/metric-table.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { Collector } from "../collector.ts";
import { comparePage } from "./otlp-page.ts";

const REQUESTS = 300;

describe("O28 metrics by OTLP", { timeout: 60_000 }, () => {
  let collector: Collector;
  let app: TestApp;

  before(async () => {
    collector = await Collector.open();
    app = await openTestApp({
      ...{ OTEL_METRICS_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, PUBLIC_READ: "true" },
      ...{ OTEL_METRIC_EXPORT_INTERVAL: "50", OTEL_TRACES_SAMPLER: "always_off" },
      ...{ OTEL_EXPORTER_OTLP_HEADERS: "x-for=all", OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-for=metrics" },
      ...{ OTEL_EXPORTER_OTLP_COMPRESSION: "gzip", RATE_LIMIT_ADDRESS: "off" },
    });
  });
  after(async () => {
    await app.close();
    await collector.close();
  });

  async function ask(times: number): Promise<void> {
    const body = JSON.stringify({ query: "{ posts(first: 1) { id } }" });
    const headers = { "content-type": "application/json" };
    for (let i = 0; i < times; i++) await (await fetch(`${app.url}/graphql`, { method: "POST", headers, body })).text();
  }

  const answered = () =>
    collector.metrics
      .get("http_request_duration_seconds")
      ?.dataPoints.find(({ attributes }) => attributes.route === "/graphql" && attributes.status === "200");

  test("after a known load every counter and histogram has the numbers of /metrics", async () => {
    await ask(REQUESTS);
    await collector.until(() => Number(answered()?.count) === REQUESTS);
    const page = await (await fetch(`${app.url}/metrics`)).text();
    comparePage(page, collector.metrics);
    assert.match(
      page,
      new RegExp(`^http_request_duration_seconds_count{.*route="/graphql",status="200"} ${REQUESTS}$`, "m"),
    );
  });

  test("kinds, units and descriptions are those of the table", () => {
    const kinds = { counter: "sum", gauge: "gauge", histogram: "exponentialHistogram" } as const;
    for (const { name, kind, unit, description, ...metric } of collector.metrics.values()) {
      const row = METRICS[name as keyof typeof METRICS];
      assert.equal(kind, kinds[row.type], name);
      assert.equal(description, row.help);
      const isTime = /_seconds(_total)?$/.test(name);
      assert.equal(unit, isTime ? "s" : name.endsWith("_bytes") ? "By" : "", name);
      if (row.type !== "gauge") assert.equal(metric.aggregationTemporality, 2, "cumulative");
      assert.equal(metric.isMonotonic, row.type === "counter" ? true : undefined);
      for (const { attributes } of metric.dataPoints)
        assert.deepEqual(
          Object.keys(attributes),
          row.labels.map(([label]) => label),
        );
    }
    assert.ok(collector.metrics.has("migration_version") && collector.metrics.has("build_info"));
  });

  test("counts are cumulative: the start stays, and the time goes on", async () => {
    const before = answered();
    await ask(1);
    await collector.until(() => Number(answered()?.count) === REQUESTS + 1);
    const now = answered();
    assert.equal(now?.startTimeUnixNano, before?.startTimeUnixNano);
    assert.ok(BigInt(now?.timeUnixNano ?? 0) > BigInt(before?.timeUnixNano ?? 0));
  });

  test("requests are packed, carry the header for metrics, and name the service", () => {
    assert.equal(collector.heads[0]?.["content-encoding"], "gzip");
    assert.ok(collector.heads.every((head) => head["x-for"] === "metrics"));
    assert.equal(collector.resource["service.name"], "content-api");
    assert.match(`${collector.resource["service.instance.id"]}`, /^[\da-f-]{36}$/);
  });
});

test("O28 explicit buckets where they are asked for, with exemplars of traces, and the last counts at the end", async (t) => {
  const collector = await Collector.open();
  t.after(() => collector.close());
  const app = await openTestApp({
    ...{ OTEL_METRICS_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/own/path` },
    ...{ OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION: "explicit_bucket_histogram" },
    ...{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/traces`, OTEL_TRACES_SAMPLER: "always_on" },
    PUBLIC_READ: "true",
  });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query: "{ posts(first: 1) { id } }" });
  await (await fetch(`${app.url}/graphql`, { method: "POST", headers, body })).text();
  await app.close(); // the interval is a minute
  const durations = collector.metrics.get("http_request_duration_seconds");
  assert.equal(durations?.kind, "histogram");
  const point = durations?.dataPoints.find(
    ({ attributes: { route, status } }) => `${route} ${status}` === "/graphql 200",
  );
  assert.equal(point?.count, "1");
  assert.equal(point?.explicitBounds?.length, 17);
  assert.equal(point?.bucketCounts?.length, 18);
  assert.equal(point?.exemplars?.length, 1);
  assert.ok(collector.spans.some(({ traceId }) => traceId === point?.exemplars?.[0]?.traceId));
  const spans = collector.metrics.get("otel_spans_total")?.dataPoints;
  const sent = spans?.find(({ attributes }) => attributes.outcome === "sent");
  assert.equal(sent?.asDouble, collector.spans.length, "counted after the last batch of spans");
});

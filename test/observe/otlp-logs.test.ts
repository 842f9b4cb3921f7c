import assert from "node:assert/strict";
import { test } from "node:test";
import type { Log } from "../../src/observe/log.ts";
import { openOtlpLog } from "../../src/observe/otlp-logs.ts";
import { openTestApp } from "../app.ts";
import { Collector } from "../collector.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

interface Line {
  readonly timeUnixNano: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: { readonly stringValue: string };
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

test("O30 OTEL_LOGS_EXPORTER=otlp: the line of a request with its trace, before the program has ended", async (t) => {
  const collector = await Collector.open();
  t.after(() => collector.close());
  const settings = { OTEL_LOGS_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ACCESS_LOG: "all" };
  const more = { LOG_LEVEL: "info", PUBLIC_READ: "true", OTEL_TRACES_SAMPLER: "always_on" };
  const app = await openTestApp({ ...settings, ...more }, { log: silent });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query: "query Titles { posts(first: 1) { id } }" });
  const answer = await fetch(`${app.url}/graphql`, { method: "POST", headers, body });
  await answer.text();
  await app.close();
  const id = answer.headers.get("x-request-id");
  const line = (collector.lines as unknown as Line[]).find(({ attributes }) => attributes.request_id === id);
  assert.ok(line !== undefined, "it is sent at the end, not after five seconds");
  const { ms, document, ...attributes } = line.attributes;
  assert.deepEqual(attributes, {
    ...{ request_id: id, operation: "Titles", method: "POST", route: "/graphql", status: 200, type: "query", cost: 1 },
  });
  assert.equal(typeof ms, "number");
  assert.match(`${document}`, /^sha256:/);
  assert.deepEqual([line.severityNumber, line.severityText, line.body.stringValue], [9, "info", "request"]);
  const root = collector.spans.find(({ attributes: own }) => own["content_api.request_id"] === id);
  assert.deepEqual([line.traceId, line.spanId], [root?.traceId, root?.spanId]);
  assert.ok(Math.abs(Number(line.timeUnixNano) / 1e6 - Date.now()) < 60_000);
});

test("O30 lines for a collector: levels, errors by their stacks, and nothing below LOG_LEVEL", async (t) => {
  const collector = await Collector.open();
  t.after(() => collector.close());
  const log = openOtlpLog(silent, {
    settings: {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: { "x-for": "logs" } },
      ...{ OTEL_EXPORTER_OTLP_TIMEOUT: 5_000, OTEL_EXPORTER_OTLP_COMPRESSION: "gzip", LOG_LEVEL: "info" },
      ...{ OTEL_SERVICE_NAME: "blog", OTEL_RESOURCE_ATTRIBUTES: null, OTEL_BSP_SCHEDULE_DELAY: 5_000 },
      ...{ OTEL_BSP_EXPORT_TIMEOUT: 5_000, OTEL_BSP_MAX_QUEUE_SIZE: 100, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 10 },
    },
    ...{ version: "1", now: () => 1_700_000_000_123.5 },
  });
  log.debug({}, "unwanted");
  log.warn({ requestId: "r-1", count: 2, share: 0.5, isOn: true, list: [1], none: null, nan: Number.NaN }, "warned");
  log.error({ err: new TypeError("of the test") }, "failed \ud800");
  await log.close();
  const [warned, failed, ...others] = collector.lines as unknown as Line[];
  assert.deepEqual(others, []);
  assert.deepEqual(warned, {
    ...{ timeUnixNano: "1700000000123500000", severityNumber: 13, severityText: "warn" },
    body: { stringValue: "warned" },
    attributes: { request_id: "r-1", count: 2, share: 0.5, isOn: true, list: "[1]" },
  });
  assert.deepEqual([failed?.severityNumber, failed?.body.stringValue], [17, "failed \ufffd"]);
  assert.equal(failed?.attributes["exception.type"], "TypeError");
  assert.match(`${failed?.attributes["exception.stacktrace"]}`, /^TypeError: of the test\n/);
  assert.equal(collector.heads[0]?.["x-for"], "logs");
});

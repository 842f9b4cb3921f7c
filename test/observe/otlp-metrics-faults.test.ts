import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../src/observe/log.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { openOtlpMetrics } from "../../src/observe/otlp-metrics.ts";
import { Collector } from "../collector.ts";

const SETTINGS = {
  ...{ OTEL_EXPORTER_OTLP_HEADERS: null, OTEL_EXPORTER_OTLP_COMPRESSION: null, OTEL_EXPORTER_OTLP_TIMEOUT: 10_000 },
  ...{ OTEL_SERVICE_NAME: "content-api", OTEL_RESOURCE_ATTRIBUTES: null, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: null },
  ...{ OTEL_EXPORTER_OTLP_METRICS_HEADERS: null, OTEL_METRIC_EXPORT_INTERVAL: 20, OTEL_METRIC_EXPORT_TIMEOUT: 20_000 },
};

async function open(t: TestContext, settings: Partial<typeof SETTINGS> = {}) {
  const collector = await Collector.open();
  t.after(() => collector.close());
  const metrics = openMetrics();
  const warnings: string[] = [];
  const log: Log = { debug() {}, info() {}, error() {}, warn: (_fields, message) => void warnings.push(message) };
  let readings = 0;
  const read = async () => {
    readings++;
    return { registry: metrics.registry, gauges: [] };
  };
  const counter = (outcome: "sent" | "dropped") => metrics.counter("otel_metric_points_total", outcome);
  const begin = () =>
    openOtlpMetrics({
      settings: { ...SETTINGS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings },
      ...{ version: "1", read, counter, log, now: Date.now },
    });
  const shed = () => collector.metrics.get("http_requests_shed_total")?.dataPoints[0]?.asDouble;
  const until = async (isTrue: () => boolean) => {
    for (let i = 0; i < 1_000 && !isTrue(); i++) await pause(10);
    assert.ok(isTrue());
  };
  return { collector, metrics, counter, warnings, begin, shed, until, readings: () => readings };
}

describe("O28 a collector that fails", { timeout: 60_000 }, () => {
  test("one that hangs gets one request, nothing more is read for it, and the program ends within two seconds", async (t) => {
    const { collector, metrics, counter, warnings, begin, until, readings } = await open(t);
    collector.answer = null;
    const sending = begin();
    await until(() => collector.bodies.length === 1 && counter("dropped").value > 0);
    const before = counter("dropped").value;
    await until(() => counter("dropped").value > before);
    assert.deepEqual([readings(), collector.bodies.length], [1, 1]);
    assert.ok(warnings.some((message) => /^data points of metrics .* are dropped/.test(message)));
    const startedAt = performance.now();
    metrics.requestShed("delay");
    await sending.close();
    assert.ok(performance.now() - startedAt < 4_000, `${performance.now() - startedAt} ms`);
    assert.equal(counter("sent").value, 0);
  });

  test("after 503 the same numbers are sent again", async (t) => {
    const { collector, metrics, counter, begin, shed, until } = await open(t);
    const accept = collector.answer;
    collector.answer = (_request, response) => {
      collector.answer = accept;
      response.writeHead(503).end();
    };
    metrics.requestShed("delay");
    const sending = begin();
    await until(() => shed() === 1);
    await until(() => counter("sent").value > 0);
    await sending.close();
  });

  test("one that closes connections, and one that rejects, lose what they were sent; the next sending has it all", async (t) => {
    const { collector, metrics, counter, begin, shed, until } = await open(t, { OTEL_METRIC_EXPORT_TIMEOUT: 1 });
    const accept = collector.answer;
    for (const answer of [
      (request: { socket: { destroy(): void } }) => request.socket.destroy(),
      (_request: unknown, response: { writeHead(status: number): { end(): void } }) => response.writeHead(400).end(),
    ]) {
      collector.answer = answer;
      const before = counter("dropped").value;
      const sending = begin();
      metrics.requestShed("delay");
      await until(() => counter("dropped").value > before);
      collector.answer = accept;
      const expected = metrics.registry.counter("http_requests_shed_total", "delay").value;
      await until(() => shed() === expected);
      await sending.close();
    }
  });

  test("the last numbers are sent at the end", async (t) => {
    const { metrics, begin, shed } = await open(t, { OTEL_METRIC_EXPORT_INTERVAL: 60_000 });
    const sending = begin();
    metrics.requestShed("delay");
    await sending.close();
    assert.equal(shed(), 1);
  });

  test("data points that the collector rejects of what it accepts are counted", async (t) => {
    const { collector, counter, begin } = await open(t, { OTEL_METRIC_EXPORT_INTERVAL: 60_000 });
    const answer = { partialSuccess: { rejectedDataPoints: "3", errorMessage: "too many" } };
    collector.answer = (_request, response) => void response.writeHead(200).end(JSON.stringify(answer));
    await begin().close();
    assert.equal(counter("dropped").value, 3);
    assert.ok(counter("sent").value > 10);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { describeSettings } from "../../src/config/described-settings.ts";
import { assertServable } from "../../src/config/servable.ts";

const read = (variables: Record<string, string>) => readConfig(variables, "/nowhere/.env");

describe("settings of traces and logs", () => {
  test("O01 without an endpoint there are no traces, and the rest has its standard default", () => {
    const config = read({});
    assert.equal(config.OTEL_EXPORTER_OTLP_ENDPOINT, null);
    assert.deepEqual(
      [config.OTEL_TRACES_SAMPLER, config.OTEL_TRACES_SAMPLER_ARG, config.OTEL_SERVICE_NAME, config.TRACE_CONTEXT],
      ["parentbased_traceidratio", 0.05, "content-api", "proxy"],
    );
    assert.deepEqual(
      [config.OTEL_BSP_SCHEDULE_DELAY, config.OTEL_BSP_MAX_QUEUE_SIZE, config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE],
      [5_000, 2_048, 512],
    );
    assert.deepEqual([config.TRACE_SLOW, config.SLOW_REQUEST, config.SLOW_QUERY], [1_000, null, null]);
    assert.deepEqual([config.ACCESS_LOG, config.LOG_FORMAT, config.SERVER_TIMING], ["off", null, "off"]);
  });

  const GOOD: readonly [name: string, text: string, value: unknown][] = [
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318", "http://collector:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "", null],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20a,x-b = c", { authorization: "Bearer a", "x-b": "c" }],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=b%2Cc,d=", { a: "b,c", d: "" }],
    ["OTEL_TRACES_SAMPLER", "always_on", "always_on"],
    ["OTEL_TRACES_SAMPLER_ARG", "0.25", 0.25],
    ["OTEL_TRACES_SAMPLER_ARG", "", 0.05],
    ["OTEL_SDK_DISABLED", "true", true],
    ["OTEL_METRICS_EXPORTER", "otlp", "otlp"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "", 60_000],
    ["OTEL_METRIC_EXPORT_TIMEOUT", "5000", 5_000],
    ["OTEL_EXPORTER_OTLP_METRICS_HEADERS", "a=b", { a: "b" }],
    ["ACCESS_LOG", "all", 1],
    ["ACCESS_LOG", "0.01", 0.01],
    ["SLOW_REQUEST", "1s", 1_000],
    ["SLOW_QUERY", "250ms", 250],
    ["SLOW_QUERY", "off", null],
    ["TRACE_SLOW", "2m", 120_000],
  ];
  for (const [name, text, value] of GOOD)
    test(`O01 ${name}=${text}`, () => {
      const found = read({ [name]: text })[name as keyof ReturnType<typeof read>];
      assert.deepEqual(typeof found === "object" && found !== null ? { ...found } : found, value);
    });

  const BAD: readonly [name: string, text: string][] = [
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "no pair"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=b%0Ac"],
    ["OTEL_RESOURCE_ATTRIBUTES", 'a"b=c'],
    ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
    ["OTEL_TRACES_SAMPLER_ARG", "5"],
    ["OTEL_BSP_MAX_QUEUE_SIZE", "many"],
    ["OTEL_METRICS_EXPORTER", "prometheus"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "0"],
    ["OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION", "summary"],
    ["TRACE_CONTEXT", "some"],
    ["TRACE_SLOW", "1"],
    ["ACCESS_LOG", "0"],
    ["LOG_FORMAT", "logfmt"],
  ];
  for (const [name, text] of BAD)
    test(`O01 ${name}=${text} ends the start with a sentence`, () =>
      assert.throws(
        () => read({ [name]: text }),
        (error) => error instanceof ConfigError && error.message.startsWith(`${name} must`),
      ));

  test("O30 log lines for a collector need its endpoint", () => {
    assert.throws(() => assertServable(read({ OTEL_LOGS_EXPORTER: "otlp" })), /needs OTEL_EXPORTER_OTLP_ENDPOINT/);
  });

  test("O28 metrics for a collector need its endpoint, or one of their own", () => {
    const settings = { OTEL_METRICS_EXPORTER: "otlp" };
    assert.throws(
      () => assertServable(read(settings)),
      /needs OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_METRICS/,
    );
    assertServable(read({ ...settings, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://collector:4318/v1/metrics" }));
  });

  test("O05 the head for the collector is a secret", () => {
    for (const head of ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_METRICS_HEADERS"]) {
      const config = read({ [head]: "authorization=of-the-collector" });
      const shown = describeSettings(config).find(({ name }) => name === head);
      assert.ok(shown?.isSecret && !JSON.stringify(shown).includes("of-the-collector"));
    }
  });
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Log } from "../../src/observe/log.ts";
import { type ObserverOptions, openObserver } from "../../src/observe/observer.ts";
import { type RequestRecord, withRecord } from "../../src/observe/request-record.ts";
import { openSampling, type SamplerName, type TraceTrust } from "../../src/observe/sampling.ts";
import { openStatementWatch } from "../../src/observe/statement-watch.ts";
import { openTracer } from "../../src/observe/trace.ts";
import { newTraceId, readTraceparent } from "../../src/observe/trace-context.ts";
import { Collector } from "../collector.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const SETTINGS = { SLOW_REQUEST: null, ACCESS_LOG: "off", SERVER_TIMING: "off", OTEL_GRAPHQL_DOCUMENT: false } as const;

describe("what is noted of requests", { timeout: 60_000 }, () => {
  let collector: Collector;
  const lines: [level: string, fields: Record<string, unknown>, message: string][] = [];
  const line = (level: string) => (fields: object, message: string) =>
    void lines.push([level, fields as Record<string, unknown>, message]);
  const log: Log = { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
  before(async () => {
    collector = await Collector.open();
  });
  after(() => collector.close());

  function open(
    sampler: SamplerName,
    trust: TraceTrust = "proxy",
    { slow = null as number | null, settings = {} as Partial<ObserverOptions["settings"]> } = {},
  ) {
    const tracer = openTracer({
      settings: {
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: null },
        ...{
          OTEL_EXPORTER_OTLP_HEADERS: null,
          OTEL_EXPORTER_OTLP_TIMEOUT: 5_000,
          OTEL_EXPORTER_OTLP_COMPRESSION: null,
        },
        ...{ OTEL_SERVICE_NAME: "test", OTEL_RESOURCE_ATTRIBUTES: null, OTEL_BSP_SCHEDULE_DELAY: 10 },
        ...{ OTEL_BSP_EXPORT_TIMEOUT: 5_000, OTEL_BSP_MAX_QUEUE_SIZE: 2_048, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 512 },
        TRACE_SLOW: slow,
      },
      ...{ version: "1", log, now: Date.now },
    });
    const sampling = openSampling(sampler, 0.5, trust);
    const observer = openObserver({
      settings: { ...SETTINGS, ...settings },
      tracing: { tracer, sampling },
      scheme: "http",
      log,
    });
    const begin = (requestId: string, traceparent?: string, isTrusted = false): RequestRecord =>
      observer.begin({
        ...{ requestId, startedAt: performance.now(), traceparent, tracestate: undefined },
        ...{ isTrusted: () => isTrusted, isLocal: () => false },
      });
    return { observer, tracer, begin };
  }
  const ok = { method: "POST", route: "/graphql", status: 200 };

  test("O03 the flags of a stranger turn no sampling on, and its trace is linked", async () => {
    const { observer, tracer, begin } = open("parentbased_always_off");
    assert.equal(begin("stranger", TRACEPARENT).spans, null);
    assert.notEqual(begin("proxy", TRACEPARENT, true).spans, null);
    await tracer.close();
    const chosen = open("always_on");
    const record = chosen.begin("linked", TRACEPARENT);
    chosen.observer.answered(record, ok);
    await chosen.tracer.close();
    const span = collector.spans.find(({ attributes }) => attributes["content_api.request_id"] === "linked");
    assert.notEqual(span?.traceId, TRACE);
    assert.deepEqual(
      span?.links?.map(({ traceId }) => traceId),
      [TRACE],
    );
    assert.equal(observer.begin.length, 1);
  });

  test("O03 TRACE_CONTEXT=none looks at no traceparent", () => {
    const { begin } = open("parentbased_always_off", "none");
    const record = begin("none", TRACEPARENT, false);
    assert.deepEqual([record.spans, record.links], [null, null]);
    record.meet(readTraceparent(TRACEPARENT));
    assert.deepEqual([record.spans, record.links], [null, null]);
  });

  test("O03 a trace that only the content names is joined if every caller's is, and linked otherwise", () => {
    const joined = open("parentbased_always_off", "all").begin("all");
    joined.meet(readTraceparent(TRACEPARENT));
    assert.deepEqual([joined.traceId, joined.spans], [TRACE, []]);
    const linked = open("parentbased_always_off", "proxy").begin("proxy", undefined, true);
    linked.meet(readTraceparent(TRACEPARENT));
    assert.deepEqual([linked.spans, linked.links?.[0]?.traceId], [null, TRACE]);
  });

  test("O03 the share of traces is that of the sampler, and the same for whoever looks at the same id", () => {
    const sampling = openSampling("traceidratio", 0.05, "proxy");
    let chosen = 0;
    for (let i = 0; i < 20_000; i++) {
      const draw = Math.floor(Math.random() * 2 ** 32);
      const isChosen = sampling.choose(null, draw);
      if (isChosen) chosen++;
      const id = newTraceId(draw);
      assert.match(id, /^[\da-f]{32}$/);
      // The last 56 bits are the randomness that consistent samplers compare with their threshold.
      const randomness = BigInt(`0x${id.slice(18)}`);
      assert.equal(randomness >= (95n * 2n ** 56n) / 100n || !isChosen, true);
    }
    assert.ok(chosen > 800 && chosen < 1_200, `${chosen} of 20000`);
  });

  test("O07 a fault and a slow request are kept even if they were not chosen, with one span", async () => {
    const { observer, tracer, begin } = open("always_off", "proxy", { slow: 20 });
    observer.answered(begin("good"), ok);
    observer.answered(begin("refused"), { ...ok, status: 401 });
    observer.answered(begin("fault"), { ...ok, status: 500 });
    const unavailable = begin("unavailable");
    unavailable.errorCode = "UNAVAILABLE";
    observer.answered(unavailable, ok);
    const slow = begin("slow");
    slow.databaseMs = 25;
    await new Promise((resolve) => setTimeout(resolve, 30));
    observer.answered(slow, ok);
    await tracer.close();
    const kept = collector.spans.filter(({ attributes }) => attributes["content_api.kept"] === true);
    const ids = kept.map(({ attributes }) => attributes["content_api.request_id"]);
    assert.deepEqual(ids, ["fault", "unavailable", "slow"]);
    assert.deepEqual(
      kept.map(({ attributes }) => attributes["error.type"]),
      ["500", "UNAVAILABLE", undefined],
    );
    assert.equal(kept[2]?.attributes["content_api.database_ms"], 25);
    assert.ok(Number(kept[2]?.endTimeUnixNano) - Number(kept[2]?.startTimeUnixNano) >= 20e6);
  });

  test("O07 a flood of failures is kept in part", async () => {
    const { observer, tracer, begin } = open("always_off", "proxy", { slow: 1_000 });
    const before = collector.spans.length;
    for (let i = 0; i < 1_000; i++) observer.answered(begin(`${i}`), { ...ok, status: 500 });
    await tracer.close();
    const kept = collector.spans.length - before;
    assert.ok(kept >= 50 && kept <= 150, `${kept} kept`); // 50 for each second of Unix time that it took
  });

  test("O30 ACCESS_LOG has a line for each request, for faults, or for a share of all", () => {
    const count = (access: ObserverOptions["settings"]["ACCESS_LOG"]) => {
      const { observer, begin } = open("always_off", "none", { settings: { ACCESS_LOG: access } });
      lines.length = 0;
      for (let i = 0; i < 1_000; i++) observer.answered(begin(`${i}`), { ...ok, status: i < 10 ? 500 : 200 });
      return lines.filter(([level, , message]) => level === "info" && message === "request").length;
    };
    assert.deepEqual([count("off"), count("errors"), count(1)], [0, 10, 1_000]);
    const share = count(0.2);
    assert.ok(share > 100 && share < 300, `${share}`);
  });

  test("O31 a slow request is logged with what took how long", async () => {
    const { observer, begin } = open("always_off", "none", { settings: { SLOW_REQUEST: 10 } });
    lines.length = 0;
    observer.answered(begin("fast"), ok);
    const record = begin("slow");
    Object.assign(record, { operationType: "query", operationName: "Slow", document: "{ a }", cost: 7, statements: 2 });
    Object.assign(record, { rows: 3, waitMs: 4, databaseMs: 5, textMs: 6 });
    await new Promise((resolve) => setTimeout(resolve, 15));
    observer.answered(record, ok);
    assert.equal(lines.length, 1);
    const [level, fields, message] = lines[0] ?? ["", {}, ""];
    assert.deepEqual([level, message], ["warn", "a request was slow"]);
    const { request_id, operation, type, cost, statements, rows, wait_ms, database_ms, text_ms, document } = fields;
    assert.deepEqual([request_id, operation, type, cost, statements, rows], ["slow", "Slow", "query", 7, 2, 3]);
    assert.deepEqual([wait_ms, database_ms, text_ms], [4, 5, 6]);
    assert.match(String(document), /^sha256:[\da-f]{64}$/);
    assert.match(String(fields.trace_id), /^[\da-f]{32}$/);
  });

  test("O31 a slow statement is logged, with its plan once a minute", async () => {
    lines.length = 0;
    const watch = openStatementWatch({
      system: "sqlite",
      namespace: "a.db",
      SLOW_QUERY: 1,
      SQL_TRACE_COMMENT: false,
      log,
    });
    let explained = 0;
    watch.explain = async () => [`plan ${++explained}`];
    const { begin } = open("always_off");
    withRecord(begin("slow"), () => {
      for (let i = 0; i < 2; i++) watch.ran("select 1 from posts where id = ?", performance.now() - 5, 1);
      watch.ran("select 2", performance.now(), 1);
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      lines
        .map(([, { request_id, rows, plan }]) => [request_id, rows, plan])
        .toSorted((a) => (a[2] === undefined ? 1 : -1)),
      [
        ["slow", 1, ["plan 1"]],
        ["slow", 1, undefined],
      ],
    );
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { METRICS, mostSamples } from "../../src/observe/metric-table.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { CONTENT_TYPES, pageFormat } from "../../src/observe/metrics-page.ts";
import { Registry } from "../../src/observe/registry.ts";

const samplesOf = (page: string) => page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

describe("O21 the page is bounded", () => {
  test("the table allows 3,000 samples at most, also with the gauges of four workers", () => {
    assert.ok(mostSamples(1) <= 3_000, `${mostSamples(1)}`);
    assert.ok(mostSamples(4) <= 3_000, `${mostSamples(4)}`);
  });

  test("100,000 names of operations, routes, statuses and methods add no more than the table allows", () => {
    const metrics = openMetrics();
    for (let i = 0; i < 100_000; i++) {
      metrics.histogram("graphql_operation_duration_seconds", "query", `name${i}`).observe(0.001);
      metrics.requestAnswered(`M${i}`, `/${i}`, i, 0.001);
      metrics.counter("auth_events_total", `event${i}`, "ok").add();
      metrics.counter("mcp_calls_total", `tool${i}`, "ok").add();
    }
    const page = metrics.print();
    assert.ok(samplesOf(page).length <= mostSamples(1), `${samplesOf(page).length}`);
    const names = new Set([...page.matchAll(/operation="(name\d+|other)"/g)].map(([, name]) => name));
    assert.equal(names.size, METRICS.graphql_operation_duration_seconds.most + 1, "the last one stands for all others");
    const counted = [...page.matchAll(/^auth_events_total\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
    assert.equal(counted, 100_000, "nothing is lost");
  });

  test("beyond the table, failures stay failures: a status keeps its class", () => {
    const metrics = openMetrics();
    for (let i = 0; i < METRICS.http_request_duration_seconds.most; i++)
      metrics.requestAnswered("GET", `/${i}`, 404, 0.001);
    for (const status of [200, 201, 500, 503, 999]) metrics.requestAnswered("POST", "/token", status, 0.001);
    const beyond = [...metrics.print().matchAll(/_count\{method="other",route="other",status="(\w+)"\} (\d+)/g)];
    assert.deepEqual(
      beyond.map(([, status, count]) => `${status} ${count}`),
      ["2xx 2", "5xx 3"],
    );
  });

  test("values beyond a closed list are other, and a made-up method takes no room of its own", () => {
    const metrics = openMetrics();
    for (const method of ["GET", "BREW", "PROPFIND"]) metrics.requestAnswered(method, "/x", 404, 0.001);
    const methods = [...metrics.print().matchAll(/_count\{method="(\w+)",route="\/x",status="404"\} (\d+)/g)];
    assert.deepEqual(
      methods.map(([, method, count]) => [method, count]),
      [
        ["GET", "1"],
        ["other", "2"],
      ],
    );
  });
});

describe("O22 the page has the forms of Prometheus", () => {
  test("requests are counted within 17 bounds: OpenTelemetry's 14, and three for answers from memory", () => {
    const metrics = openMetrics();
    metrics.requestAnswered("POST", "/graphql", 200, 0.0004);
    metrics.requestAnswered("POST", "/graphql", 200, 0.05);
    metrics.requestAnswered("POST", "/graphql", 200, 11);
    const buckets = [...metrics.print().matchAll(/^http_request_duration_seconds_bucket\{.*le="(.*)"\} (\d+)$/gm)];
    const otel = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
    assert.deepEqual(
      buckets.map(([, bound]) => bound),
      [0.0005, 0.001, 0.0025, ...otel, "+Inf"].map(String),
    );
    assert.deepEqual(
      buckets.map(([, , count]) => Number(count)),
      [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3],
    );
    assert.match(metrics.print(), /^http_request_duration_seconds_sum\{.*\} 11\.0504$/m);
  });

  test("every metric of the table has its help and type, and small closed lists begin with zeros", () => {
    const page = openMetrics().print();
    for (const [name, { type, help }] of Object.entries(METRICS)) {
      assert.ok(page.includes(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`), name);
      assert.match(help, /^[A-Z].*\.$/, "help is a sentence");
    }
    assert.match(page, /^http_requests_shed_total\{reason="memory"\} 0$/m);
    assert.match(page, /^db_retries_total\{sqlstate="40001"\} 0$/m);
  });

  test("O27 OpenMetrics has families without _total, bounds as floats, an end, and exemplars only of traces", () => {
    const metrics = openMetrics();
    const trace = "0af7651916cd43dd8448eb211c80319c";
    metrics.requestAnswered("POST", "/graphql", 200, 0.002);
    metrics.requestAnswered("POST", "/graphql", 200, 0.8, trace);
    const page = metrics.print("openmetrics");
    assert.match(page, /^# TYPE http_requests_shed counter\nhttp_requests_shed_total\{reason="delay"\} 0$/m);
    assert.match(page, /_bucket\{method="POST",route="\/graphql",status="200",le="10\.0"\} 2\n/);
    assert.match(page, new RegExp(`le="1\\.0"\\} 2 # \\{trace_id="${trace}"\\} 0\\.8 \\d+\\.\\d{3}\n`));
    assert.equal(page.match(/trace_id/g)?.length, 1);
    assert.ok(page.endsWith("\n# EOF\n"));
    assert.doesNotMatch(metrics.print("text"), /trace_id|EOF|_total counter\n# HELP .*_total_total/);
  });

  test("O27 OpenMetrics is for callers that ask for it", () => {
    const prometheus =
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    for (const accept of [
      prometheus,
      "application/openmetrics-text",
      "application/openmetrics-text; version=1.0.0; q=0.1",
    ])
      assert.equal(pageFormat(accept), "openmetrics", accept);
    const others = [
      ...[undefined, "", "*/*", "text/plain", "application/openmetrics-text;version=0.0.1"],
      ...["application/openmetrics-text;q=0", "text/plain, application/openmetrics-text;q=0.5"],
    ];
    for (const accept of others) assert.equal(pageFormat(accept), "text", accept);
    assert.match(CONTENT_TYPES.openmetrics, /^application\/openmetrics-text; version=1\.0\.0/);
  });

  test("a gauge that has nothing to show is missing, and a label is escaped", () => {
    const metrics = openMetrics();
    metrics.gauge("replica_lag_bytes", () => null);
    metrics.gauge("build_info", () => 1, '1"2\\3\n4', "24", "41");
    assert.doesNotMatch(metrics.print(), /^replica_lag_bytes /m);
    assert.match(metrics.print(), /^build_info\{version="1\\"2\\\\3\\n4",node="24",schema="41"\} 1$/m);
  });

  test("a page waits for numbers from the database, but not for long, and not in vain", async () => {
    const metrics = openMetrics();
    let asked = 0;
    metrics.beforePage(async () => void asked++);
    metrics.beforePage(() => Promise.reject(new Error("away")));
    metrics.beforePage(() => new Promise(() => {}));
    await metrics.refresh();
    assert.equal(asked, 1);
  });
});

describe("O20 what was counted is reported once", () => {
  test("reports add up to what was counted, whatever else counts", () => {
    const [worker, sum] = [new Registry(), new Registry()];
    const shed = worker.counter("http_requests_shed_total", "delay");
    const durations = worker.histogram("http_request_duration_seconds", "GET", "/", "200");
    sum.counter("http_requests_shed_total", "delay").add(5);
    for (let round = 1; round <= 3; round++) {
      shed.add(round);
      durations.observe(0.0625);
      const reports = JSON.parse(JSON.stringify(worker.takeReports()));
      assert.equal(reports.length, 2);
      sum.give(reports);
      assert.deepEqual(worker.takeReports(), []);
    }
    assert.equal(sum.counter("http_requests_shed_total", "delay").value, 11);
    const total = sum.histogram("http_request_duration_seconds", "GET", "/", "200");
    assert.deepEqual([total.sum, total.counts.indexOf(3)], [0.1875, total.bounds.indexOf(0.075)]);
  });

  test("reports of a newer version are left out where this one does not know the metric", () => {
    const sum = new Registry();
    sum.give([["another_total" as "build_info", [], 3]]);
    assert.deepEqual(sum.takeReports(), []);
  });
});

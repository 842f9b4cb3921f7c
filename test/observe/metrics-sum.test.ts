import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { MetricsSum } from "../../src/observe/metrics-sum.ts";
import type { Counter, Histogram } from "../../src/observe/series.ts";
import { openWorkerMetrics, type WorkerMetrics } from "../../src/observe/worker-metrics.ts";

interface TestWorker extends WorkerMetrics {
  /** Messages that it has sent. */
  readonly sent: object[];
  /** Whether it hears nothing any more, as one whose event loop is busy. */
  isDeaf: boolean;
  kill(): void;
}

/** Workers that are joined with one sum by messages as they pass between processes. */
function openHouse(isExponential = false) {
  const sum = new MetricsSum(isExponential);
  let last = 0;
  function start(): TestWorker {
    const id = ++last;
    const listeners: ((message: unknown) => void)[] = [];
    const sent: object[] = [];
    let isAlive = true;
    const copied = (message: object) => JSON.parse(JSON.stringify(message)) as object;
    const tell = (message: object) => {
      if (isAlive && !worker.isDeaf) for (const listener of listeners) listener(copied(message));
    };
    let schema: number | null = null;
    const metrics = openWorkerMetrics({
      isExponential,
      async refresh() {
        schema = 41;
      },
      channel: {
        send(message) {
          if (!isAlive) return;
          sent.push(message);
          queueMicrotask(() => sum.heard(id, copied(message), (answer) => queueMicrotask(() => tell(answer))));
        },
        listen: (listener) => void listeners.push(listener),
      },
    });
    const worker: TestWorker = {
      ...{ ...metrics, sent, isDeaf: false },
      async page(format) {
        schema = 41; // as the one that is asked for a page asks the database first
        return metrics.page(format);
      },
      kill() {
        isAlive = false;
        sum.left(id);
      },
    };
    metrics.registry.gauge("graphql_subscriptions", () => id * 10);
    metrics.registry.gauge("migration_version", () => schema);
    return worker;
  }
  return { start, sum };
}

/** Resolves when reports that are due have been heard. */
async function reported(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

const count = (worker: TestWorker, times: number) =>
  worker.registry.counter("http_requests_shed_total", "delay").add(times);
const total = async (worker: TestWorker) =>
  Number(/^http_requests_shed_total\{reason="delay"\} (\d+)$/m.exec(await worker.page("text"))?.[1]);

describe("O20 the metrics of several workers", () => {
  test("counters are sums, and gauges bear their worker but for those about the database", async () => {
    const { start } = openHouse();
    const workers = [start(), start(), start()];
    for (const [index, worker] of workers.entries()) count(worker, 10 ** index);
    await reported();
    const pages = await Promise.all(workers.map((worker) => worker.page("text")));
    for (const page of pages) {
      assert.match(page, /^http_requests_shed_total\{reason="delay"\} 111$/m);
      assert.deepEqual(page.match(/^(graphql_subscriptions|migration_version).*$/gm), [
        'graphql_subscriptions{worker="1"} 10',
        'graphql_subscriptions{worker="2"} 20',
        'graphql_subscriptions{worker="3"} 30',
        "migration_version 41",
      ]);
      assert.match(page, /^metrics_workers_missing_total 0$/m);
    }
  });

  test("a worker that has ended keeps its share, and its number goes to the one in its place", async () => {
    const { start } = openHouse();
    const [one, two] = [start(), start()];
    count(one, 7);
    count(two, 5);
    await reported();
    one.kill();
    assert.equal(await total(two), 12);
    const three = start();
    count(three, 1);
    await reported();
    assert.equal(await total(two), 13);
    assert.match(await two.page("text"), /^graphql_subscriptions\{worker="1"\} 30$/m);
  });

  test("a worker that does not answer in 200 ms is left out and counted; what it reported stays", async () => {
    const { start } = openHouse();
    const [one, two] = [start(), start()];
    count(one, 7);
    count(two, 5);
    await reported();
    one.isDeaf = true;
    const began = performance.now();
    const page = await two.page("text");
    assert.ok(performance.now() - began >= 195);
    assert.match(page, /^http_requests_shed_total\{reason="delay"\} 12$/m);
    assert.match(page, /^metrics_workers_missing_total 1$/m);
    assert.deepEqual(page.match(/^graphql_subscriptions.*$/gm), ['graphql_subscriptions{worker="2"} 20']);
    one.isDeaf = false;
    assert.match(await two.page("text"), /^metrics_workers_missing_total 1$/m);
  });

  test("a worker that ends while it is asked keeps nobody waiting", async () => {
    const { start } = openHouse();
    const [one, two] = [start(), start()];
    count(one, 1);
    count(two, 1);
    await reported();
    one.isDeaf = true;
    const reading = two.page("text");
    await pause(1);
    one.kill();
    assert.match(await reading, /^metrics_workers_missing_total 0$/m);
  });

  test("the first count after a rest is reported in the same turn; later ones 50 ms apart at most", async () => {
    const { start } = openHouse();
    const worker = start();
    count(worker, 1);
    await reported();
    assert.equal(worker.sent.length, 1);
    const began = performance.now();
    for (let i = 0; i < 20; i++) {
      count(worker, 1);
      await pause(5);
    }
    const most = (performance.now() - began) / 50 + 1;
    assert.ok(worker.sent.length - 1 <= most, `${worker.sent.length} reports`);
    worker.close();
    const amounts = JSON.stringify(worker.sent).matchAll(/\["http_requests_shed_total",\["delay"\],(\d+)\]/g);
    assert.equal(
      [...amounts].reduce((sum, [, amount]) => sum + Number(amount), 0),
      21,
    );
  });

  test("O28 an export has the sums, and one worker asks the database for it", async () => {
    const { start, sum } = openHouse(true);
    const workers = [start(), start()];
    for (const [index, { registry }] of workers.entries()) {
      registry.counter("http_requests_shed_total", "delay").add(index + 1);
      for (let i = 0; i < 10; i++)
        registry.histogram("db_operation_duration_seconds", "read", "primary").observe(0.25 + index);
    }
    await reported();
    workers[1]?.kill();
    start().registry.counter("http_requests_shed_total", "delay").add(4);
    await reported();
    const { registry, gauges } = await sum.read();
    const [shed] = registry.seriesOf("http_requests_shed_total");
    assert.equal((shed as Counter).value, 7);
    const [durations] = registry.seriesOf("db_operation_duration_seconds") as Iterable<Histogram>;
    assert.equal(durations?.sum, 10 * 0.25 + 10 * 1.25);
    const { offset = 0, counts = [], zeroCount } = durations?.exponential?.state ?? {};
    assert.deepEqual([offset, counts[0], counts.at(-1), zeroCount], [-17, 10, 10, 0]);
    assert.equal(
      counts.reduce((all, count) => all + count, 0),
      20,
    );
    assert.deepEqual(
      gauges.map(({ worker, samples }) => [worker, samples.map(([name]) => name)]),
      [
        [1, ["graphql_subscriptions", "migration_version"]],
        [2, ["graphql_subscriptions"]],
      ],
    );
    for (const worker of [1, 2, 3]) sum.left(worker);
    assert.deepEqual((await sum.read()).gauges, [], "nobody is waited for when all have ended");
  });

  test("what a worker has told before its end may come after it: it counts, and the worker is none any more", async () => {
    const { start, sum } = openHouse();
    const ended = start();
    count(ended, 2);
    await reported();
    ended.kill();
    const [last] = ended.sent.slice(-1);
    assert.equal(
      sum.heard(1, last, () => assert.fail("nobody asks it")),
      true,
    );
    assert.deepEqual((await sum.read()).gauges, [], "nobody waits for it");
    count(start(), 1);
    await reported();
    assert.deepEqual(
      (await sum.read()).gauges.map(({ worker }) => worker),
      [1],
      "another has its place",
    );
  });

  test("without an answer the page fails: part of the numbers would be a decrease", async (t: TestContext) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const channel = { send() {}, listen() {} };
    const alone = openWorkerMetrics({ channel, isExponential: false, refresh: async () => {} });
    const page = alone.page("text");
    t.mock.timers.tick(2_000);
    await assert.rejects(page, /does not answer/);
  });

  test("messages of other kinds are left to others", () => {
    const { sum } = openHouse();
    for (const message of [null, "x", 1, { setUpUrl: null }])
      assert.equal(
        sum.heard(1, message, () => {}),
        false,
      );
  });
});

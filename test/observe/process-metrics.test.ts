import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openMetrics } from "../../src/observe/metrics.ts";
import { observeProcess } from "../../src/observe/process-metrics.ts";

describe("O23 the process in the metrics", () => {
  test("O25 a clock that is set is counted once, in either direction; time that passes is not", (t) => {
    t.mock.timers.enable({ apis: ["setInterval", "Date"], now: 1_700_000_000_000 });
    const metrics = openMetrics();
    const end = observeProcess(metrics);
    const jumps = () => metrics.counter("clock_jumps_total").value;
    // The other clock stands still here, so each look finds almost a second: as much as is tolerated.
    for (let i = 0; i < 5; i++) t.mock.timers.tick(1_000);
    assert.equal(jumps(), 0);
    t.mock.timers.setTime(1_700_000_000_000 + 3_600_000);
    t.mock.timers.tick(1_000);
    assert.equal(jumps(), 1);
    t.mock.timers.tick(1_000);
    assert.equal(jumps(), 1);
    end();
  });

  test("a blocked event loop shows in the delay of the next reading alone", async (t) => {
    const metrics = openMetrics();
    t.after(observeProcess(metrics));
    const longest = () => Number(/^nodejs_eventloop_delay_seconds\{stat="max"\} (.+)$/m.exec(metrics.print())?.[1]);
    await pause(50);
    longest();
    const until = performance.now() + 400;
    while (performance.now() < until);
    await pause(50);
    assert.ok(longest() >= 0.3);
    await pause(50);
    assert.ok(longest() < 0.3);
  });

  test("collections of garbage are counted by kind, and processor time grows", async (t) => {
    const metrics = openMetrics();
    t.after(observeProcess(metrics));
    const minor = metrics.counter("nodejs_gc_seconds_total", "minor");
    const kept: object[] = [];
    for (let i = 0; i < 2_000 && minor.value === 0; i++) {
      for (let j = 0; j < 10_000; j++) kept[j % 100] = { j };
      await pause(1);
    }
    assert.ok(minor.value > 0);
    metrics.print();
    assert.ok(metrics.counter("process_cpu_seconds_total").value > 0);
  });
});

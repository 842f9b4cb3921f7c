import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openRest } from "../../src/background/rest.ts";

/** Microseconds of processor time in each look of five seconds. */
const WORK = 500_000;
const CHORES = 50_000;

/** What happens at each look, given the processor time between it and the look before. */
function watch(t: import("node:test").TestContext, between: readonly number[]): readonly boolean[] {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let had = 1_000_000;
  let given = false;
  const end = openRest({
    processorTime: () => had,
    giveBack() {
      given = true;
      had += WORK; // collecting is work, too
    },
  });
  const seen = between.map((microseconds) => {
    had += microseconds;
    given = false;
    t.mock.timers.tick(5_000);
    return given;
  });
  end();
  t.mock.timers.tick(60_000);
  return seen;
}

describe("memory of a process at rest", () => {
  test("is given back 20 seconds after work, once", (t) => {
    const [looks, rest] = [[WORK, WORK, CHORES, CHORES, CHORES, CHORES], Array.from({ length: 30 }, () => CHORES)];
    assert.deepEqual(watch(t, [...looks, ...rest]), [...Array(5).fill(false), true, ...Array(30).fill(false)]);
  });

  test("is given back again after more work", (t) => {
    const rest = Array.from({ length: 4 }, () => CHORES);
    const seen = watch(t, [...rest, WORK, ...rest]);
    assert.deepEqual(seen, [false, false, false, true, false, false, false, false, true]);
  });

  test("stays while there is work now and then", (t) => {
    const seen = watch(
      t,
      Array.from({ length: 24 }, (_, i) => (i % 4 === 0 ? WORK : CHORES)),
    );
    assert.ok(!seen.includes(true));
  });

  test("is returned by V8 to the system", () => {
    const memory = execFileSync(process.execPath, [join(import.meta.dirname, "filled-process.ts")], {
      encoding: "utf8",
      timeout: 30_000,
    });
    const { filled, rested } = JSON.parse(memory) as { filled: number; rested: number };
    assert.ok(rested < filled - 25, `${filled} MB, then ${rested} MB`);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

export function attemptsConform(open: OpenFresh): void {
  describe("attempts", () => {
    test("A39 each of many at once is counted", () =>
      withStore(open, async ({ attempts }) => {
        const counts = await Promise.all(Array.from({ length: 20 }, () => attempts.add("a", 60, 1_000)));
        assert.deepEqual(
          counts.toSorted((a, b) => a - b),
          Array.from({ length: 20 }, (_, i) => i + 1),
        );
        assert.equal(await attempts.add("b", 60, 1_000), 1);
      }));

    test("A39 F14 a window begins with its first, and no clock makes it last", () =>
      withStore(open, async ({ attempts }) => {
        assert.equal(await attempts.add("a", 60, 1_000), 1);
        assert.equal(await attempts.add("a", 60, 1_059), 2);
        assert.equal(await attempts.add("a", 60, 1_060), 1);
        assert.equal(await attempts.add("a", 60, 500), 1, "the clock was set back");
        assert.equal(await attempts.add("a", 60, 559), 2);
      }));

    test("what is taken back or cleared does not count", () =>
      withStore(open, async ({ attempts }) => {
        await attempts.withdraw("a");
        assert.equal(await attempts.add("a", 60, 1_000), 1);
        await attempts.withdraw("a");
        await attempts.withdraw("a");
        assert.equal(await attempts.add("a", 60, 1_000), 1);
        await attempts.add("a", 60, 1_000);
        await attempts.clear("a");
        assert.equal(await attempts.add("a", 60, 1_000), 1);
      }));

    test("sweep destroys what is over, so many at a time", () =>
      withStore(open, async ({ attempts }) => {
        for (const key of ["a", "b", "c"]) await attempts.add(key, 60, 1_000);
        await attempts.add("d", 60, 1_050);
        assert.equal(await attempts.sweep(1_060, 2), 2);
        assert.equal(await attempts.sweep(1_060, 2), 1);
        assert.equal(await attempts.add("d", 60, 1_060), 2);
      }));
  });
}

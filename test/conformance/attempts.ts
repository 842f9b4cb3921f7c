import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withStore } from "./samples.ts";
import type { OpenFresh } from "./store.ts";

export function attemptsConform(open: OpenFresh): void {
  describe("attempts", () => {
    test("A33 A34 what is used once is not used again, at no clock before its end, by twenty at the same time either", () =>
      withStore(open, async ({ attempts }) => {
        const uses = await Promise.all(Array.from({ length: 20 }, () => attempts.claimOnce("a", 1_060, 1_000)));
        assert.equal(uses.filter(Boolean).length, 1);
        for (const now of [1_000, 1_001, 999, 1_030, 1_059])
          assert.equal(await attempts.claimOnce("a", 1_060 + (now - 1_000), now), false, `${now}`);
        assert.equal(await attempts.claimOnce("b", 1_060, 1_000), true);
        assert.equal(await attempts.claimOnce("a", 1_200, 1_060), true);
        assert.equal(await attempts.claimOnce("a", 1_200, 1_061), false);
        assert.equal(await attempts.sweep(1_200, 10), 2);
      }));

    test("A39 each of many at once is counted", () =>
      withStore(open, async ({ attempts }) => {
        const counts = await Promise.all(Array.from({ length: 20 }, () => attempts.add("a", 60, 1_000)));
        assert.deepEqual(
          counts.toSorted((a, b) => a - b),
          Array.from({ length: 20 }, (_, i) => i + 1),
        );
        assert.equal(await attempts.add("b", 60, 1_000), 1);
      }));

    test("U32 several are counted together, each in its window, by many at once too", () =>
      withStore(open, async ({ attempts }) => {
        const both = [
          { key: "hour", windowSeconds: 60 },
          { key: "day", windowSeconds: 600 },
        ];
        const counts = await Promise.all(Array.from({ length: 20 }, () => attempts.addAll(both, 1_000)));
        for (const index of [0, 1])
          assert.deepEqual(
            counts.map((pair) => pair[index] ?? 0).toSorted((a, b) => a - b),
            Array.from({ length: 20 }, (_, i) => i + 1),
          );
        assert.deepEqual(await attempts.addAll(both, 1_060), [1, 21]);
        assert.deepEqual(await attempts.addAll([], 1_060), []);
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

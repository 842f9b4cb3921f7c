import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { withStore } from "./samples.ts";
import type { OpenFresh, OpenTwo } from "./store.ts";

const NONE = new Map<string, number>();
const MINUTE = 60_000;

export function rateLimitsConform(open: OpenFresh, openTwo: OpenTwo): void {
  describe("rate limits", () => {
    test("what a process tells, the others hear in its order, and only what they have not heard", async () => {
      const [near, far] = await openTwo();
      try {
        await near.rateLimits.tell("a", 1, { "token:x": 5, "address:y": 2 });
        await near.rateLimits.tell("a", 2, { "token:x": 1 });
        await far.rateLimits.tell("b", 1, { "token:x": 7 });
        const heard = await far.rateLimits.hear("b", NONE, MINUTE);
        assert.deepEqual(
          heard.map(({ process, number, taken }) => ({ process, number, taken })),
          [
            { process: "a", number: 1, taken: { "token:x": 5, "address:y": 2 } },
            { process: "a", number: 2, taken: { "token:x": 1 } },
          ],
        );
        for (const { age } of heard) assert.ok(age >= 0 && age < 30_000, `${age}`);
        const numbers = async (process: string, known: [string, number][]) =>
          (await near.rateLimits.hear(process, new Map(known), MINUTE)).map((batch) => batch.process + batch.number);
        assert.deepEqual(await numbers("b", [["a", 1]]), ["a2"]);
        assert.deepEqual(await numbers("b", [["a", 2]]), []);
        assert.deepEqual(
          await numbers("c", [
            ["a", 1],
            ["b", 1],
          ]),
          ["a2"],
        );
        assert.deepEqual((await numbers("c", [["a", 2]])).toSorted(), ["b1"]);
      } finally {
        await Promise.all([near.close(), far.close()]);
      }
    });

    test("told again, it counts once", () =>
      withStore(open, async ({ rateLimits }) => {
        await Promise.all(Array.from({ length: 8 }, (_, i) => rateLimits.tell("a", 1, { x: i })));
        assert.equal((await rateLimits.hear("b", NONE, MINUTE)).length, 1);
      }));

    test("what is older than asked for is not heard; what is swept is gone", () =>
      withStore(open, async ({ rateLimits }) => {
        await rateLimits.tell("a", 1, { x: 1 });
        await pause(4_000);
        assert.deepEqual(await rateLimits.hear("b", NONE, 3_500), []);
        assert.equal((await rateLimits.hear("b", NONE, MINUTE))[0]?.number, 1);
        await rateLimits.tell("a", 2, { x: 1 });
        await rateLimits.sweep(3_500);
        assert.deepEqual(
          (await rateLimits.hear("b", NONE, MINUTE)).map(({ number }) => number),
          [2],
        );
      }));
  });
}

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Gate, withoutCounting } from "../../src/http/gate.ts";

const settings = { MAX_IN_FLIGHT: 1_000, MAX_DELAY: 500 };

describe("A45 waiting for a host that a caller chose", () => {
  test("is no load: the request does not count meanwhile, and its answer is not a slow one", async () => {
    let now = 0;
    const gate = new Gate(
      settings,
      () => false,
      () => now,
    );
    let answer: () => void = () => {};
    const host = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const requests = Array.from({ length: 100 }, () => gate.run(() => withoutCounting(() => host)));
    assert.equal(gate.inFlight, 0);
    now = 2_500;
    answer();
    await Promise.all(requests);
    assert.deepEqual([gate.inFlight, gate.window], [0, 1_000]);
  });

  test("only the waiting is left out: work before and after it counts", async () => {
    let now = 0;
    const gate = new Gate(
      settings,
      () => false,
      () => now,
    );
    const requests = Array.from({ length: 100 }, () =>
      gate.run(async () => {
        await withoutCounting(async () => {});
        await Promise.resolve();
        now = 2_500;
      }),
    );
    await Promise.all(requests);
    assert.equal(gate.inFlight, 0);
    assert.ok(gate.window < 100, `${gate.window}`);
  });

  test("waits inside one another and at the same time count as one", async () => {
    const gate = new Gate(
      settings,
      () => false,
      () => 0,
    );
    const seen: number[] = [];
    await gate.run(async () => {
      await Promise.all([
        withoutCounting(() => withoutCounting(async () => void seen.push(gate.inFlight))),
        withoutCounting(async () => {
          await Promise.resolve();
          seen.push(gate.inFlight);
        }),
      ]);
      seen.push(gate.inFlight);
    });
    assert.deepEqual([...seen, gate.inFlight], [0, 0, 1, 0]);
  });

  test("every gate that a request has passed leaves the wait out", async () => {
    const never = () => false;
    const [outer, inner] = [new Gate(settings, never, () => 0), new Gate(settings, never, () => 0)];
    await outer.run(() =>
      inner.run(async () => {
        await withoutCounting(async () => assert.deepEqual([outer.inFlight, inner.inFlight], [0, 0]));
        assert.deepEqual([outer.inFlight, inner.inFlight], [1, 1]);
      }),
    );
    await Promise.resolve();
    assert.deepEqual([outer.inFlight, inner.inFlight], [0, 0]);
  });

  test("a request that is watched waits by its id, and only its own wait is left out", async () => {
    let now = 0;
    const gate = new Gate(
      settings,
      () => false,
      () => now,
    );
    const slow = async (id: string) => {
      await gate.wait(id, async () => {
        assert.equal(gate.inFlight, 49);
        now += 2_500;
      });
    };
    let end: () => void = () => {};
    const busy = new Promise<void>((resolve) => {
      end = resolve;
    });
    const others = Array.from({ length: 49 }, (_, i) => gate.watch(busy, `${i}`));
    await gate.watch(
      Promise.resolve().then(() => slow("tester")),
      "tester",
    );
    assert.deepEqual([gate.inFlight, gate.window], [49, 1_000], "its answer is not a slow one");
    end();
    await Promise.all(others);
    assert.equal(gate.inFlight, 0);
    assert.ok(gate.window < 1_000, "theirs are");
  });

  test("a failed wait counts again, and outside of a request nothing is counted", async () => {
    const gate = new Gate(
      settings,
      () => false,
      () => 0,
    );
    await gate.run(async () => {
      await withoutCounting(() => Promise.reject(new Error("away"))).catch(() => {});
      assert.equal(gate.inFlight, 1);
    });
    assert.equal(await withoutCounting(async () => 7), 7);
    assert.equal(gate.inFlight, 0);
  });
});

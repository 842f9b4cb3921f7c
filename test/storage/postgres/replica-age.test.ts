import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ReplicaAge } from "../../../src/storage/postgres/replica-age.ts";

describe("E12 what a process knows of the age of its replica", () => {
  test("it has everything that was committed when the primary was asked for the last position that it has reached", () => {
    const age = new ReplicaAge(100);
    assert.equal(age.knownFrom, Number.NEGATIVE_INFINITY);
    for (const [at, position] of [
      [10, 100],
      [20, 200],
      [30, 200],
      [40, 300],
    ] as const)
      age.heard(at, position);
    age.replayed(99);
    assert.equal(age.knownFrom, Number.NEGATIVE_INFINITY);
    age.replayed(150);
    assert.equal(age.knownFrom, 10);
    age.replayed(200);
    assert.equal(age.knownFrom, 30, "nothing was written between the second and the third question");
    age.replayed(299);
    assert.equal(age.knownFrom, 30, "without news of the primary, the time of the last comparison counts");
  });

  for (const lag of [0, 3_000, 60_000]) {
    test(`a replica that is always ${lag} ms behind is known to be at most a thirtieth of the longest age older, and never younger`, () => {
      const age = new ReplicaAge(100_000);
      for (let at = 0; at < 600_000; at += 200) {
        age.heard(at, at);
        age.replayed(Math.max(0, at - lag));
        const known = at - age.knownFrom;
        if (at > 2 * lag + 7_000) assert.ok(known >= lag && known <= lag + 3_400, `${known} ms at ${at}`);
      }
    });
  }

  test("a replica that is older than the longest age is not known at all", () => {
    const age = new ReplicaAge(1_000);
    for (let at = 0; at < 10_000; at += 200) {
      age.heard(at, at);
      if (at > 2_000) age.replayed(at - 2_000);
    }
    assert.ok(9_800 - age.knownFrom > 1_000);
  });

  test("E11 another replica, which is further behind, is known by its position, and nothing is known of its age", () => {
    const age = new ReplicaAge(100_000);
    age.heard(10, 100);
    age.replayed(100);
    age.replayed(90);
    assert.equal(age.knownFrom, Number.NEGATIVE_INFINITY);
    age.heard(20, 100);
    age.replayed(100);
    assert.equal(age.knownFrom, 20);
  });

  test("E11 another primary: only its own positions count", () => {
    const age = new ReplicaAge(100_000);
    age.heard(10, 100);
    age.restart();
    age.replayed(300);
    assert.equal(age.knownFrom, Number.NEGATIVE_INFINITY);
    age.heard(30, 400);
    age.replayed(400);
    assert.equal(age.knownFrom, 30);
  });
});

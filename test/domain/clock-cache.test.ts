import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ClockCache } from "../../src/domain/clock-cache.ts";

function open(limit: number) {
  const dropped: string[] = [];
  const cache = new ClockCache<{ isUsed: boolean; name: string }>(
    limit,
    () => 1,
    ({ name }) => dropped.push(name),
  );
  const keep = (name: string) => cache.keep(name, { isUsed: false, name });
  return { cache, dropped, keep };
}

describe("the clock cache", () => {
  test("drops what was not found since the hand came by", () => {
    const { cache, dropped, keep } = open(3);
    for (const name of ["a", "b", "c"]) keep(name);
    cache.find("a");
    keep("d");
    assert.deepEqual(dropped, ["b"]);
    keep("e");
    assert.deepEqual(dropped, ["b", "c"]);
    keep("f");
    keep("g"); // a was spared once
    assert.deepEqual(dropped, ["b", "c", "d", "a"]);
  });

  test("makes room though all were found", () => {
    const { cache, dropped, keep } = open(100);
    for (let i = 0; i < 100; i++) keep(`${i}`);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 100; i++) cache.find(`${i}`);
      keep(`new ${round}`);
      assert.equal(dropped.length, round + 1);
    }
  });

  test("tells of what is replaced and of what is cleared", () => {
    const { cache, dropped, keep } = open(10);
    for (const name of ["a", "b", "a"]) keep(name);
    assert.deepEqual(dropped, ["a"]);
    cache.clear();
    assert.deepEqual(dropped.toSorted(), ["a", "a", "b"]);
    assert.equal(cache.find("a"), undefined);
    keep("a");
    assert.equal(cache.find("a")?.name, "a");
  });

  test("keeps nothing without room", () => {
    const { cache, keep } = open(0);
    keep("a");
    assert.equal(cache.find("a"), undefined);
  });
});

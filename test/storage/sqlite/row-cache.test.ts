import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ANYBODY, NOBODY, RowCache, rowKey } from "../../../src/storage/sqlite/row-cache.ts";

describe("the row cache", () => {
  test("keeps what is asked for, within its limit", () => {
    const cache = new RowCache(100_000);
    const text = "x".repeat(1_000);
    cache.keep("wanted", [text]);
    for (let i = 0; i < 1_000; i++) {
      cache.keep(`other ${i}`, [text]);
      assert.deepEqual(cache.find("wanted", null)?.row, [text]);
    }
    const kept = Array.from({ length: 1_000 }, (_, i) => cache.find(`other ${i}`, null)).filter(
      (known) => known !== undefined,
    );
    assert.ok(kept.length > 70 && kept.length < 100, `${kept.length}`);
  });

  test("keeps all that there is room for, in whatever order it is asked for", () => {
    const cache = new RowCache(100_000);
    const text = "x".repeat(1_000);
    let misses = 0;
    for (let i = 0; i < 1_000; i++) {
      const key = `${i % 75}`;
      if (cache.find(key, null) !== undefined) continue;
      misses++;
      cache.keep(key, [text]);
    }
    assert.equal(misses, 75);
  });

  test("makes room by what was not found for the longest time", () => {
    const cache = new RowCache(5_000);
    const text = "x".repeat(1_000);
    for (const key of ["a", "b", "c"]) cache.keep(key, [text]);
    cache.find("a", null);
    cache.keep("d", [text]);
    cache.keep("e", [text]); // for which b leaves, and not a
    assert.deepEqual(
      ["a", "b", "c", "d", "e"].filter((key) => cache.find(key, null) !== undefined),
      ["a", "c", "d", "e"],
    );
  });

  test("keeps nothing that is larger than half of it, and nothing at all without room", () => {
    const cache = new RowCache(10_000);
    cache.keep("large", ["x".repeat(6_000)]);
    assert.equal(cache.find("large", null), undefined);
    const none = new RowCache(0);
    none.keep("a", undefined);
    assert.equal(none.find("a", null), undefined);
  });

  test("knows that there was no row", () => {
    const cache = new RowCache(10_000);
    cache.keep("nobody", undefined);
    assert.deepEqual(cache.find("nobody", null), { row: undefined, writes: 0, isUsed: true });
    cache.clear();
    assert.equal(cache.find("nobody", null), undefined);
  });

  test("after a write of one person's content, what was read of others alone is still known", () => {
    const cache = new RowCache(10_000);
    for (const key of ["a", "b", "all"]) cache.keep(key, [key]);
    cache.forget("Ann");
    assert.equal(cache.find("a", "Ann"), undefined);
    assert.deepEqual(cache.find("b", "Ben")?.row, ["b"]);
    assert.equal(cache.find("all", null), undefined);
    cache.keep("a", ["new"]);
    cache.forget("Ben");
    assert.deepEqual(cache.find("a", "Ann")?.row, ["new"]);
    assert.equal(cache.find("b", "Ben"), undefined);
    cache.keep("all", ["all"]);
    cache.forget(NOBODY);
    assert.deepEqual(cache.find("a", "Ann")?.row, ["new"]);
    assert.equal(cache.find("all", null), undefined);
    cache.forget(ANYBODY);
    assert.equal(cache.find("a", "Ann"), undefined);
  });

  test("writes of many people's content are not all remembered, and none is missed", () => {
    const cache = new RowCache(10_000_000);
    for (let i = 0; i < 25_000; i++) {
      cache.keep("own", [i]);
      cache.forget(`person ${i}`);
      assert.equal(cache.find("own", `person ${i}`), undefined);
    }
  });

  test("what is read again in place of what is not true takes no more room", () => {
    const cache = new RowCache(100_000);
    cache.keep("other", ["other"]);
    for (let i = 0; i < 1_000; i++) {
      cache.forget("Ann");
      cache.keep("own", ["x".repeat(1_000)]);
    }
    assert.deepEqual(cache.find("other", "Ben")?.row, ["other"]);
  });

  test("other values are another key, whatever they hold", () => {
    const keys = [
      rowKey("1", ["a", "b"]),
      rowKey("1", ["a 1:b"]),
      rowKey("1", ["ab", ""]),
      rowKey("1", ["", "ab"]),
      rowKey("1", [1]),
      rowKey("1", ["1"]),
      rowKey("1", [null]),
      rowKey("1", ["null"]),
      rowKey("1", [true]),
      rowKey("11", []),
      rowKey("1", []),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });
});

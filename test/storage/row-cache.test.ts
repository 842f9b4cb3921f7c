import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RowCache, rowKey } from "../../src/storage/row-cache.ts";

describe("the row cache", () => {
  test("keeps what is asked for, within its limit", () => {
    const cache = new RowCache(100_000);
    const text = "x".repeat(1_000);
    cache.keep("wanted", { row: [text] });
    for (let i = 0; i < 1_000; i++) {
      cache.keep(`other ${i}`, { row: [text] });
      assert.deepEqual(cache.find("wanted"), { row: [text] });
    }
    const kept = Array.from({ length: 1_000 }, (_, i) => cache.find(`other ${i}`)).filter(
      (known) => known !== undefined,
    );
    assert.ok(kept.length > 30 && kept.length < 100, `${kept.length}`);
  });

  test("keeps nothing that is larger than its half, and nothing at all without room", () => {
    const cache = new RowCache(10_000);
    cache.keep("large", { row: ["x".repeat(6_000)] });
    assert.equal(cache.find("large"), undefined);
    const none = new RowCache(0);
    none.keep("a", { row: undefined });
    assert.equal(none.find("a"), undefined);
  });

  test("knows that there was no row", () => {
    const cache = new RowCache(10_000);
    cache.keep("nobody", { row: undefined });
    assert.deepEqual(cache.find("nobody"), { row: undefined });
    cache.clear();
    assert.equal(cache.find("nobody"), undefined);
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

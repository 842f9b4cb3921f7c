import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { matches } from "../../src/studio/browser/difference/matches.ts";
import {
  compareLines,
  compareTexts,
  type Row,
  sectionsOf,
} from "../../src/studio/browser/publishing/compare/compare-texts.ts";
import { runs } from "../scale.ts";
import { workedTime } from "../timing.ts";

/** One side of a comparison, put together again. */
function side(rows: readonly Row[], which: "before" | "after"): string {
  const [line, left] = which === "before" ? (["beforeLine", "new"] as const) : (["afterLine", "gone"] as const);
  return rows
    .filter((row) => row[line] !== null)
    .map(({ pieces }) =>
      pieces
        .filter(({ kind }) => kind !== left)
        .map(({ text }) => text)
        .join(""),
    )
    .join("\n");
}

const text = fc.array(
  fc.oneof(
    fc.constantFrom("", "a", "- a", "the cat sat", "the dog sat", "你好世界", "\r", "  "),
    fc.string({ maxLength: 30 }).map((line) => line.replaceAll("\n", " ")),
  ),
  { maxLength: 30 },
);

describe("S41 comparing texts", () => {
  test("S41 both texts can be read from a comparison, with their line numbers", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const rows = compareTexts(a.join("\n"), b.join("\n"));
        assert.equal(side(rows, "before"), a.join("\n"));
        assert.equal(side(rows, "after"), b.join("\n"));
        const numbers = (key: "beforeLine" | "afterLine") => rows.map((row) => row[key]).filter((n) => n !== null);
        assert.deepEqual(
          numbers("beforeLine"),
          [...numbers("beforeLine").keys()].map((n) => n + 1),
        );
        assert.deepEqual(
          numbers("afterLine"),
          [...numbers("afterLine").keys()].map((n) => n + 1),
        );
      }),
      { numRuns: runs(300, 3_000) },
    );
  });

  test("S41 an equal text has no changes", () => {
    fc.assert(
      fc.property(text, (a) => {
        assert.ok(compareTexts(a.join("\n"), a.join("\n")).every(({ kind }) => kind === "same"));
      }),
    );
  });

  test("S41 between short texts, the way is a shortest one", () => {
    /** Longest common subsequence, by the table of the textbook. */
    function longest(a: readonly string[], b: readonly string[]): number {
      let row = new Array<number>(b.length + 1).fill(0);
      for (const x of a) {
        const next = [0];
        for (const [j, y] of b.entries())
          next.push(x === y ? (row[j] as number) + 1 : Math.max(row[j + 1] as number, next[j] as number));
        row = next;
      }
      return row[b.length] as number;
    }
    const few = fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 60 });
    fc.assert(
      fc.property(few, few, (a, b) => {
        const found = matches(a, b);
        for (const { before, after, length } of found)
          assert.deepEqual(a.slice(before, before + length), b.slice(after, after + length));
        assert.equal(
          found.reduce((sum, { length }) => sum + length, 0),
          longest(a, b),
        );
      }),
      { numRuns: runs(100, 500) },
    );
  });

  test("S41 a changed word is shown within its line", () => {
    const rows = compareTexts(
      "One.\n\nThe quick brown fox.\n\nLast.",
      "One.\n\nThe quick red fox.\nNew line.\n\nLast.",
    );
    assert.deepEqual(
      rows.filter(({ kind }) => kind !== "same"),
      [
        {
          kind: "changed",
          pieces: [
            { kind: "same", text: "The quick " },
            { kind: "gone", text: "brown" },
            { kind: "new", text: "red" },
            { kind: "same", text: " fox." },
          ],
          beforeLine: 3,
          afterLine: 3,
        },
        { kind: "new", pieces: [{ kind: "new", text: "New line." }], beforeLine: null, afterLine: 4 },
      ],
    );
    assert.deepEqual(
      compareLines("私は猫が好き", "私は犬が好き").filter(({ kind }) => kind !== "same"),
      [
        { kind: "gone", text: "猫" },
        { kind: "new", text: "犬" },
      ],
    );
  });

  test("S41 unchanged lines far from a change are folded, and none is lost", () => {
    const before = Array.from({ length: 40 }, (_, index) => `Line ${index}`);
    const rows = compareTexts(before.join("\n"), before.with(20, "Another").join("\n"));
    const sections = sectionsOf(rows, 3);
    assert.deepEqual(
      sections.map(({ kind, rows }) => [kind, rows.length]),
      [
        ["folded", 17],
        ["rows", 8],
        ["folded", 16],
      ],
    );
    assert.deepEqual(
      sections.flatMap(({ rows }) => rows),
      rows,
    );
  });

  test("S41 a megabyte that shares nothing is compared within a second", () => {
    const many = (word: string) => Array.from({ length: 60_000 }, (_, i) => `${word} ${i % 7} lorem`).join("\n");
    const [a, b] = [many("one"), many("two")];
    const start = workedTime();
    const rows = compareTexts(a, b);
    assert.ok(workedTime() - start < 1_000, `${workedTime() - start} ms`);
    assert.equal(side(rows, "after"), b);
  });
});

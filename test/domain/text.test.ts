import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { beginningOf } from "../../src/domain/text.ts";

const CHARACTERS = [
  "a",
  " ",
  "\r",
  "\n",
  "é",
  "e\u0301",
  "\u02ff",
  "©",
  "\u00ad",
  "🇩🇪",
  "👩‍👩‍👧",
  "한",
  "\u1100\u1161",
  "𝒳",
];

/** The definition, character by character. */
function slowly(text: string, max: number): string {
  let beginning = "";
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (Array.from(beginning + segment).length > max) break;
    beginning += segment;
  }
  return beginning === "" ? Array.from(text).slice(0, max).join("") : beginning;
}

test("the beginning of a text ends between two characters as people see them, in plain and in other texts", () => {
  const texts = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 12 }).map((parts) => parts.join(""));
  const property = fc.property(texts, fc.integer({ min: 1, max: 8 }), (text, max) => {
    assert.equal(beginningOf(text, max), slowly(text, max));
  });
  fc.assert(property, { numRuns: 5_000 });
  assert.equal(beginningOf("ab\r\n", 3), "ab");
  assert.equal(beginningOf("abcd", 3), "abc");
});

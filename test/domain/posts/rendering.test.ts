import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOf, slugOf } from "../../../src/domain/posts/rendering.ts";
import { highlight } from "../../../src/domain/reading/highlight.ts";
import { searchWords } from "../../../src/domain/reading/search.ts";

/** Each is one character as people see it. */
const CHARACTERS = ["🇺🇦", "👨‍👩‍👧‍👦", "e\u0301", "न्\u200dय", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👍🏽", "각", "a\u0302\u0323\u0308", "𠮷"];

/** Whether a text is one of these characters, several times over. */
function isWhole(text: string, character: string): boolean {
  return text.replaceAll(character, "") === "";
}

test("an excerpt ends between two characters as people see them, with at most 200 code points", () => {
  for (const character of CHARACTERS)
    for (const before of ["", "x", "xy", "x y z "]) {
      const excerpt = excerptOf(before + character.repeat(300));
      assert.ok([...excerpt].length <= 200);
      assert.ok([...excerpt].length > 200 - 12 || before.includes(" "), excerpt);
      assert.ok(excerpt.endsWith("…"));
      assert.ok(isWhole(excerpt.slice(before.length, -1), character), `${before}${character}`);
    }
});

test("an excerpt has what stands behind much white space, and says where something is left out", () => {
  assert.equal(excerptOf(`a${" \n".repeat(2_000)}b`), "a b");
  assert.match(excerptOf(`a${" \n".repeat(790)}${"🇺🇦".repeat(300)}`), /^a (🇺🇦)+…$/u);
  assert.equal([...excerptOf(`a${"\u0301".repeat(400)}`)].length, 200);
});

test("a slug ends between two characters as people see them", () => {
  for (const character of ["न्", "कि", "각", "กี", "𠮷"]) {
    const slug = slugOf(`${character.repeat(200)}`);
    assert.ok([...slug].length <= 80);
    assert.ok(isWhole(slug, character.normalize("NFKC")), slug);
  }
});

test("a highlight begins and ends between two characters as people see them", () => {
  for (const character of CHARACTERS)
    for (const shift of ["", "x", "xy", "xyz"]) {
      const text = `${character.repeat(300)}${shift} quokka, ${character.repeat(300)}`;
      const html = highlight(text, searchWords("quokka") ?? "");
      const [, before = "", after = ""] = /^…(.*)<mark>quokka<\/mark>,(.*)…$/u.exec(html) ?? assert.fail(html);
      assert.ok(isWhole(before.replace(`${shift} `, ""), character), html);
      assert.ok(isWhole(after.trim(), character), html);
    }
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { highlight } from "../../../src/domain/reading/highlight.ts";
import { indexedWords, searchWords } from "../../../src/domain/reading/search.ts";

function highlighted(text: string, question: string): string {
  const words = searchWords(question);
  assert.notEqual(words, null);
  return highlight(text, words ?? "");
}

describe("the words of a search", () => {
  test("have letters, digits and marks alone, whatever was typed", () => {
    let typed = "";
    for (let code = 1; code < 0x110000; code += 7) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      typed += `${String.fromCodePoint(code)}${code % 3 === 0 ? " " : ""}`;
      if (typed.length < 40) continue;
      assert.match(searchWords(typed) ?? "", /^([\p{L}\p{N}\p{M}]+\*?( |$))*$/u, typed);
      typed = "";
    }
  });

  test("a question has the words of the text that it was copied from", () => {
    for (const text of [
      "Ελλάδα ΟΔΟΣ",
      "ẞtraße",
      "ﷺ ㎏ ™ ½",
      "ǅ ŉ ﬃ",
      "İIıi",
      "\u0301a\u0301",
      "각\u1100\u1161\u11a8",
      "ｶﾞ㌀",
    ]) {
      const indexed = [...indexedWords(`x${text} ${text}`)];
      for (const word of searchWords(text)?.split(" ") ?? [])
        assert.ok(
          indexed.some((one) => (word.endsWith("*") ? one.startsWith(word.slice(0, -1)) : one === word)),
          `${text}: ${word}`,
        );
    }
  });

  test("a word is cut after 256 characters, never within one; a body has 250,000 words at most", () => {
    const [word = ""] = indexedWords(`a${"𞤀".repeat(1_000)}`);
    assert.ok(word.isWellFormed());
    assert.equal(word.length, 255);
    let body = "";
    for (let i = 0; i < 300_000; i++) body += `${i.toString(36)} `;
    assert.equal(indexedWords(body).size, 250_000);
    assert.equal(
      indexedWords(Array.from({ length: 400_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * i) % 20_000))).join(""))
        .size <= 250_000,
      true,
    );
  });
});

describe("a highlight", () => {
  test("marks words as the text has them", () => {
    for (const [text, question, html] of [
      ["Un Café & <b>", "cafe", "Un <mark>Café</mark> &amp; &lt;b&gt;"],
      ["tables, tab", "tab*", "<mark>tables</mark>, <mark>tab</mark>"],
      ["昨日、東京都に行きました", "東京都", "昨日、<mark>東京都</mark>に行きました"],
      ["猫と犬と猫", "猫", "<mark>猫</mark>と犬と<mark>猫</mark>"],
      ["x ｶﾞｷﾞｸﾞ y", "ギグ", "x ｶﾞ<mark>ｷﾞｸﾞ</mark> y"],
      ["iPhone用ケース", "iphone ケース", "<mark>iPhone</mark>用<mark>ケース</mark>"],
      ["see node.js now", "node.js", "see <mark>node</mark>.<mark>js</mark> now"],
      ["שָׁלוֹם", "שלום", "<mark>שָׁלוֹם</mark>"],
      ["ผมรักภาษาไทย", "ภาษา", "ผมรัก<mark>ภาษา</mark>ไทย"],
      ["<mark>a</mark> \u0011\u0012", "a", "&lt;mark&gt;<mark>a</mark>&lt;/mark&gt; \u0011\u0012"],
    ] as const)
      assert.equal(highlighted(text, question), html);
  });

  test("is a short piece around what was found first, or the beginning where nothing was", () => {
    const long = `${"lorem ipsum ".repeat(1_000)}Café ${"dolor sit ".repeat(1_000)}`;
    const piece = highlighted(long, "cafe");
    assert.match(piece, /^…(lorem|ipsum) .*<mark>Café<\/mark> .*(dolor|sit)…$/);
    assert.ok(piece.length < 300, piece);
    assert.match(highlighted(long, "elsewhere"), /^lorem ipsum [a-z ]*(lorem|ipsum)…$/);
    assert.equal(highlighted("", "elsewhere"), "");
  });

  test("takes no long time, whatever the text is", () => {
    for (const text of ["猫と".repeat(50_000), "a".repeat(100_000), "é ".repeat(50_000), "👨‍👩‍👧".repeat(12_000)]) {
      const begun = performance.now();
      const piece = highlighted(text, "猫 zzz* と猫x");
      assert.ok(piece.length < 2_000 && piece.isWellFormed());
      assert.ok(performance.now() - begun < 2_000);
    }
  });
});

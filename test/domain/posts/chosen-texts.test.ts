import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isSlug, isTimeZone } from "../../../src/domain/posts/chosen-texts.ts";
import { slugOf } from "../../../src/domain/posts/rendering.ts";

describe("slugs that people choose", () => {
  test("S50 words in any script, in lower case, with single hyphens between", () => {
    for (const slug of ["a", "my-first-post", "größe-2", "日本語", "हिन्दी-में", "2027"]) assert.ok(isSlug(slug), slug);
    for (const slug of [
      "",
      "-a",
      "a-",
      "a--b",
      "A",
      "a b",
      "a_b",
      "a/b",
      "a.b",
      "a?b",
      "ﬁ",
      "e\u0301",
      "a\u200b",
      "😀",
    ])
      assert.ok(!isSlug(slug), JSON.stringify(slug));
  });

  test("S50 a slug has one spelling: what is accepted stays as it is in every normal form and case that servers use", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        if (!isSlug(text)) return;
        assert.equal(text.normalize("NFKC"), text);
        assert.equal(text.toLowerCase(), text);
        assert.equal(decodeURIComponent(encodeURIComponent(text)), text);
      }),
      { numRuns: 2_000 },
    );
  });

  test("S50 the slug of a title in letters, digits and marks may be chosen too", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."abcXYZ019 -_.!éßñжЖ日本"), maxLength: 120 }), (title) => {
        assert.ok(isSlug(slugOf(title)), slugOf(title));
      }),
      { numRuns: 2_000 },
    );
  });

  test("S53 zones by their IANA names, and no offsets", () => {
    for (const zone of ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
      assert.ok(isTimeZone(zone), zone);
    for (const zone of ["", "+01:00", "Europe/Atlantis", "Berlin", 'UTC"', "x".repeat(5_000)])
      assert.ok(!isTimeZone(zone), zone);
  });
});

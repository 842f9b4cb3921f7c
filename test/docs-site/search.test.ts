import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { buildIndex, LARGEST_INDEX } from "../../docs/.vitepress/search/build.ts";
import { openSearch } from "../../docs/.vitepress/search/query.ts";
import { stem, wordsOf } from "../../docs/.vitepress/search/terms.ts";
import { listPages, ROOT, sitePath } from "../../docs/.vitepress/site/sources.ts";
import { sectionsOf } from "../../docs/.vitepress/site/text.ts";

interface Question {
  readonly question: string;
  /** The sections that answer it. One of them must come first. */
  readonly first: readonly string[];
}

const questions = JSON.parse(readFileSync(join(import.meta.dirname, "questions.json"), "utf8")) as Question[];

describe("D09 the search of the documentation", () => {
  const index = buildIndex();
  const search = openSearch(index);

  test("D09 the first result is right for each of the questions, forty and more", () => {
    assert.equal(new Set(questions.map(({ question }) => question)).size, questions.length);
    assert.ok(questions.length >= 40);
    const wrong = questions.flatMap(({ question, first }) => {
      const [best] = search(question);
      return best !== undefined && first.includes(best.url)
        ? []
        : [`${question}: ${best?.url}, not ${first.join(" or ")}`];
    });
    assert.deepEqual(wrong, []);
  });

  test("D09 the sections that the questions expect exist", () => {
    const known = new Set(
      listPages().flatMap((file) => {
        const page = sitePath(file).replace(/\.md$/, ".html");
        const sections = sectionsOf(readFileSync(join(ROOT, file), "utf8"));
        return [page, ...sections.map(({ anchor }) => `${page}#${anchor}`)];
      }),
    );
    assert.deepEqual(
      questions.flatMap(({ first }) => first).filter((url) => !known.has(url)),
      [],
    );
  });

  test("D09 the index has at most 200 kB, and drops the words that matter least to stay small", () => {
    assert.ok(LARGEST_INDEX <= 200_000);
    const size = Buffer.byteLength(JSON.stringify(index));
    assert.ok(size <= LARGEST_INDEX, `${size} bytes`);
    const most = Math.round(size * 0.8);
    const small = buildIndex(ROOT, most);
    assert.ok(Buffer.byteLength(JSON.stringify(small)) <= most);
    const found = openSearch(small)("signing keys").map(({ url }) => url);
    assert.ok(found.slice(0, 2).includes("operations.html#signing-keys"), found.join(" "));
  });

  test("a word that somebody is still typing finds what begins so", () => {
    assert.ok(search("prometh").some(({ url }) => url === "monitoring.html#health-checks"));
    assert.ok(search("kuber")[0]?.url === "deployment.html#on-kubernetes");
  });

  test("nothing is found for words that no page has, and for none", () => {
    assert.deepEqual(search("xyzzyplugh"), []);
    assert.deepEqual(search("how do i"), []);
    assert.deepEqual(search(""), []);
  });

  test("names count whole and in parts; sign in, signing-in and login are one word", () => {
    assert.deepEqual(wordsOf("invalid_grant"), ["invalid_grant", "invalid", "grant"]);
    assert.deepEqual(wordsOf("createPost"), ["createpost", "creat", "post"]);
    for (const text of ["sign in", "Signing in", "signed in", "sign-in", "log in", "login"])
      assert.deepEqual(wordsOf(text), ["login"], text);
    for (const [one, other] of [
      ["policies", "policy"],
      ["keys", "key"],
      ["rotating", "rotate"],
      ["scopes", "scope"],
    ])
      assert.equal(stem(one ?? ""), stem(other ?? ""));
    assert.notEqual(stem("access"), stem("acces"));
  });
});

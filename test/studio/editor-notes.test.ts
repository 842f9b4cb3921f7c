import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { renderMarkdown } from "../../src/markdown/html.ts";
import { findNotes, MOST_NOTES, type Note } from "../../src/studio/browser/editor/language/notes.ts";
import { serverMarkdown } from "../../src/studio/browser/editor/language/server-markdown.ts";

function notes(text: string): Note[] {
  for (const search = findNotes(serverMarkdown.parse(text), text); ; ) {
    const { done, value } = search.next();
    if (done === true) return value;
  }
}
const kinds = (text: string) => notes(text).map(({ kind }) => kind);
/** The text from the place of each note on. */
const places = (text: string) => notes(text).map(({ from }) => text.slice(from, from + 12));

describe("S23 notes beside the text", () => {
  test("S23 a good text has none", () => {
    const text = `## One

A [link](https://a.example), a [local one](/b), [another](c.html "t"), <mail@a.example> and ![a cat](/cat.webp).

### Two

\`<b>\` and \`[x](javascript:a)\`, Map<string, T>, a < b > c, <name>, \\<b>, <https://a.example/b>

    <div>

\`\`\`html
<div># no heading</div>
![](no-picture.png)
\`\`\`

## Three

![no such label]
`;
    assert.deepEqual(notes(text), []);
  });

  test("S23 pictures without alternative text, with the place where it goes", () => {
    const text =
      "![](a.png) ![ ](b.png) ![c](c.png)\n\n[![](d.png)](https://a.example)\n\n![][e]\n\n![][none]\n\n[E]: /e.png\n";
    assert.deepEqual(places(text), ["](a.png) ![ ", " ](b.png) ![", "](d.png)](ht", "][e]\n\n![][no"]);
    const silent = renderMarkdown(text).html.match(/alt="\s*"/g);
    assert.equal(notes(text).length, silent?.length, "as many as readers get");
    assert.ok(kinds(text).every((kind) => kind === "no-alternative-text"));
  });

  test("S23 headings of level 1, and levels that are skipped", () => {
    assert.deepEqual(
      notes("# One\n\n## Two\n\n#### Four\n\n##### Five\n\n## Two\n\nOne\n===\n\n> #### Four").map(
        ({ sentence }) => sentence,
      ),
      [
        "This heading has level 1, as the title has. Begin with level 2.",
        "This heading skips a level: level 3 comes before level 4.",
        "This heading has level 1, as the title has. Begin with level 2.",
        "This heading skips a level: level 2 comes before level 4.",
      ],
    );
    assert.deepEqual(places("### Three"), ["### Three"]);
  });

  test("S23 an address is noted exactly if the server leaves it out", () => {
    const schemes = [
      "http:",
      "HTTPS:",
      "mailto:",
      "ftp:",
      "tel:",
      "javascript:",
      "data:",
      "vbscript:",
      "x-y+z.1:",
      "1a:",
      ":",
    ];
    const addresses = [
      ...schemes.flatMap((scheme) => [`${scheme}a`, `${scheme}//a.example/b`, `${scheme.toUpperCase()}a`]),
      ...[
        "//a.example",
        "/a",
        "a",
        "#a",
        "?a:b",
        "./a:b",
        "localhost:80/a",
        "a/b:c",
        "javascript&colon;a",
        "java\\script:a",
      ],
      ...["data:image/png;base64,AAAA", "", "a%3Ab", "ftp\\:a", "\\\\a"],
    ];
    for (const address of addresses)
      for (const text of [`[x](${address})`, `[x](<${address}>)`, `![x](${address})`, `[x][y]\n\n[y]: <${address}>`]) {
        const { html } = renderMarkdown(text);
        assert.equal(kinds(text).includes("left-out"), !/ (?:href|src)="/.test(html), `${text} is ${html}`);
      }
    assert.deepEqual(kinds("<ftp://a.example>, <tel:1>, <https://a.example>"), ["left-out", "left-out"]);
    assert.equal(notes("![x](ftp:a)")[0]?.sentence.startsWith("This picture is left out"), true);
  });

  test("S23 a text with very many notes has the first of them, soon", () => {
    const text = "![](a.png)\n\n".repeat(20_000);
    const began = performance.now();
    const found = notes(text);
    assert.ok(performance.now() - began < 5_000);
    assert.deepEqual([found.length, found.at(-1)?.from], [MOST_NOTES, 12 * (MOST_NOTES - 1) + 2]);
  });

  test("S23 HTML is noted once for each block of text", () => {
    const text =
      "<div>\n<b>one</b>\n</div>\n\n- a <br/> b\n\n| <i>c</i> | d |\n| --- | --- |\n\n## x <!-- y -->\n\n`<b>` <u>z</u>";
    assert.deepEqual(places(text), ["<div>\n<b>one", "<br/> b\n\n| <", "<i>c</i> | d", "<!-- y -->\n\n", "<u>z</u>"]);
    assert.deepEqual([...new Set(kinds(text))], ["html"]);
  });
});

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { countWords } from "../../src/domain/posts/rendering.ts";
import { renderMarkdown } from "../../src/markdown/html.ts";
import { readerText } from "../../src/studio/browser/editor/language/reader-text.ts";
import { Reading } from "../../src/studio/browser/editor/language/reading.ts";
import { serverMarkdown } from "../../src/studio/browser/editor/language/server-markdown.ts";
import { withLf } from "../../src/studio/browser/editor/text/line-endings.ts";

const root = join(import.meta.dirname, "../..");

function words(text: string): number {
  return countWords(readerText(serverMarkdown.parse(text), text));
}

/** The names of the nodes of a text, without marks. */
function shape(text: string): string[] {
  const names: string[] = [];
  serverMarkdown.parse(text).iterate({
    enter({ name }) {
      if (!/Mark$|^Document$|Delimiter$/.test(name)) names.push(name);
    },
  });
  return names;
}

describe("S23 S21 Markdown in the editor is the server's", () => {
  test("words of 300 real files are counted as the server counts them, all but a few to the word", () => {
    const files = globSync("node_modules/**/*.md", { cwd: root }).sort().slice(0, 300);
    const texts = files.map((file) => withLf(readFileSync(join(root, file), "utf8")));
    const wrong = texts.filter((text) => words(text) !== countWords(renderMarkdown(text).text));
    assert.equal(files.length, 300);
    assert.ok(wrong.length <= 6, `${wrong.length} of 300`);
    for (const text of wrong) {
      const [mine, server] = [words(text), countWords(renderMarkdown(text).text)];
      assert.ok(Math.abs(mine - server) <= Math.max(3, server / 100), `${mine} for ${server}`);
    }
  });

  test("HTML, bare URLs and task boxes are text, as the server has them", () => {
    assert.deepEqual(shape("<b>bold</b> https://a.example <!-- no -->"), ["Paragraph"]);
    assert.deepEqual(shape("<div>\n\n*x*\n\n</div>"), ["Paragraph", "Paragraph", "Emphasis", "Paragraph"]);
    assert.deepEqual(shape("- [ ] task"), ["BulletList", "ListItem", "Paragraph"]);
    for (const text of ["<b>bold</b> https://a.example", "- [ ] task"]) {
      assert.doesNotMatch(renderMarkdown(text).html, /<b>|<a |<input/);
    }
  });

  test("tables, strikethrough and links in angle brackets are what the server renders", () => {
    assert.ok(shape("| a | b |\n| --- | --- |\n| 1 | 2 |").includes("Table"));
    assert.deepEqual(shape("~~old~~"), ["Paragraph", "Strikethrough"]);
    assert.deepEqual(shape("<https://a.example>"), ["Paragraph", "Autolink", "URL"]);
    assert.match(renderMarkdown("<https://a.example>").html, /<a href="https:\/\/a\.example"/);
  });

  test("a text is read again as it grows, and a newer one ends the reading of an older", async () => {
    const reading = new Reading();
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const first = await reading.read("# One\n\ntwo three", pause);
    assert.deepEqual([first?.words, first?.headings], [3, [{ level: 1, text: "One", from: 0 }]]);
    const [older, newer] = await Promise.all([
      reading.read("# One\n\ntwo three four", pause),
      reading.read("# One\n\ntwo three four\n\nFive\n---\n", pause),
    ]);
    assert.equal(older, null);
    assert.deepEqual(
      [newer?.words, newer?.headings.map(({ text, level }) => [text, level])],
      [
        5,
        [
          ["One", 1],
          ["Five", 2],
        ],
      ],
    );
  });
});

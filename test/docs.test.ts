import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, test } from "node:test";

const root = join(import.meta.dirname, "..");

/** Every document of the project, as a path from its root. */
const DOCUMENTS = ["*.md", "docs/**/*.md", "examples/*/README.md", "src/**/README.md"]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .sort();

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The document without blocks and spans of code, in which nothing is a link, a heading or a sentence. */
function prose(text: string): string {
  return text.replaceAll(/^ *```.*?^ *```$/gms, "").replaceAll(/`[^`\n]*`/g, "`code`");
}

/** The anchors that GitHub gives the headings of a document. */
function anchors(text: string): Set<string> {
  const found = new Set<string>();
  const counts = new Map<string, number>();
  for (const [, heading = ""] of text.replaceAll(/^ *```.*?^ *```$/gms, "").matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    found.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return found;
}

/** Reasons why a link of the document leads nowhere; null when it leads somewhere. */
function complaint(document: string, target: string): string | null {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? document : relative(root, join(root, dirname(document), path));
  if (!existsSync(join(root, file))) return `there is no ${file}`;
  if (anchor === undefined || !file.endsWith(".md")) return null;
  return anchors(read(file)).has(anchor) ? null : `${file} has no heading #${anchor}`;
}

describe("the documents", () => {
  test("every relative link leads to a file and a heading that exist", () => {
    const complaints: string[] = [];
    let links = 0;
    for (const document of DOCUMENTS) {
      for (const [, target = ""] of prose(read(document)).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        links += 1;
        const reason = complaint(document, target);
        if (reason !== null) complaints.push(`${document}: (${target}): ${reason}`);
      }
    }
    assert.ok(links > 50, `${links} links`);
    assert.deepEqual(complaints, []);
  });

  test("a missing file and a missing heading are noticed", () => {
    assert.equal(complaint("docs/oauth.md", "nowhere.md"), "there is no docs/nowhere.md");
    assert.equal(complaint("docs/oauth.md", "../README.md#nowhere"), "README.md has no heading #nowhere");
    assert.equal(complaint("README.md", "docs/oauth.md#scopes"), null);
    assert.deepEqual(
      [...anchors("# A `b` c\n## [Who](x.md), what\n## Tab\n## Tab\n")],
      ["a-b-c", "who-what", "tab", "tab-1"],
    );
  });

  test("docs/README.md lists every document in docs", () => {
    const contents = read("docs/README.md");
    const missing = DOCUMENTS.filter(
      (path) => path.startsWith("docs/") && path !== "docs/README.md" && !contents.includes(`(${path.slice(5)})`),
    );
    assert.deepEqual(missing, []);
  });

  test("docs/troubleshooting.md quotes sentences that the program has", () => {
    const sources = globSync("src/**/*.ts", { cwd: root })
      .map(read)
      .join("\n")
      .replaceAll(/\$\{[^{}]*\}/g, "…");
    const sentences = [...read("docs/troubleshooting.md").matchAll(/^### (.+)$/gm)].map(([, text = ""]) => text);
    assert.ok(sentences.length >= 20, `${sentences.length} sentences`);
    const parts = sentences.flatMap((text) => text.split("…").map((part) => part.trim()));
    assert.deepEqual(
      parts.filter((part) => !sources.includes(part)),
      [],
    );
  });

  test("no document runs a package of the registry that has our name", () => {
    assert.deepEqual(
      DOCUMENTS.filter((path) => /npx content-api/.test(read(path))),
      [],
    );
  });
});

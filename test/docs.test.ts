import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, test } from "node:test";
import { buildSchema } from "graphql";
import { VARIABLES } from "../src/config/variables.ts";
import { readBlocks } from "./docs-blocks/blocks.ts";
import { LARGEST } from "./pictures.ts";

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

/** Beginnings that make a reader look for the noun. */
const BEGINNING = /(?:^|[.:!?] |^[-#>|] ?)(?:What|Who|Whom|Whoever|Of|Where|That)\b.{0,40}/gm;

/** Phrases that readers stumble over, each with what to write. */
const PHRASES: Readonly<Record<string, string>> = {
  "at the most": "at most, up to",
  anew: "again",
  "by (?:itself|themselves)": "automatically, alone",
  "by then": "by that time",
  "in vain": "failed",
  "at once": "immediately, at the same time",
  "for who": "because",
  "is none": "is missing",
  "comes? again": "retry, reconnect",
  "(?:is|are) refused": "the server rejects",
  "unless told otherwise": "by default",
  "is to (?:be|go)": "must be, is removed",
};

/** Parts of the text that somebody would read twice. */
function riddles(text: string): string[] {
  const phrase = new RegExp(`\\b(?:${Object.keys(PHRASES).join("|")})\\b.{0,30}`, "gi");
  return [...(text.match(BEGINNING) ?? []), ...(text.match(phrase) ?? [])];
}

/** Descriptions of everything in the schema, each with its name. */
function descriptions(): [name: string, text: string][] {
  const types = Object.values(buildSchema(read("schema.graphql")).getTypeMap());
  return types
    .filter(({ name }) => name !== "String" && name !== "ID" && !name.startsWith("__"))
    .flatMap((type) => {
      const members =
        "getFields" in type ? Object.values(type.getFields()) : "getValues" in type ? type.getValues() : [];
      const parts = members.flatMap((member) => [member, ...("args" in member ? member.args : [])]);
      return [type, ...parts].map(({ name, description }): [string, string] => [
        `${type.name}.${name}`,
        description ?? "",
      ]);
    });
}

/** The reason why a link of the document leads nowhere; null for a good link. */
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

  test("every picture is there in light and dark, is small, and is described; none is left over", () => {
    const shown = DOCUMENTS.flatMap((document) =>
      [...read(document).matchAll(/<picture>.*?<\/picture>/gs)].map(([markup]) => {
        const [, dark = ""] = /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/.exec(markup) ?? [];
        const [, light = "", alt = ""] = /<img src="([^"]+)"[^>]* alt="([^"]{20,})">/.exec(markup) ?? [];
        assert.equal(dark, light.replace("-light.", "-dark."), `${document}: ${markup}`);
        assert.notEqual(alt, "");
        return [light, dark].map((path) => relative(root, join(root, dirname(document), path)));
      }),
    );
    const used = new Set(shown.flat());
    assert.ok(used.size >= 8, [...used].join(" "));
    for (const path of used) assert.ok(statSync(join(root, path)).size < LARGEST, path);
    assert.deepEqual(globSync("docs/images/*", { cwd: root }).sort(), [...used].sort());
    assert.ok(read("README.md").includes("<picture>"));
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

  test("every path in a span of code exists", () => {
    const isThere = (path: string) =>
      [path, `src/${path}`, `src/${path}.ts`].some((candidate) => globSync(candidate, { cwd: root }).length > 0);
    /** A page may have the file itself, as a block of code. */
    const isShown = (document: string, path: string) => readBlocks(document).some(({ detail }) => detail === path);
    const rooms = globSync("src/*", { cwd: root, withFileTypes: true }).map(({ name }) => name);
    const tops = ["src", "test", "docs", "deploy", "examples", ...rooms].join("|");
    const path = new RegExp(`\`((?:${tops})/[a-z0-9./_*-]+)\``, "g");
    const missing = DOCUMENTS.filter((document) => !document.startsWith("src/")).flatMap((document) =>
      [...read(document).matchAll(path)]
        .filter(([, found = ""]) => !isThere(found) && !isShown(document, found))
        .map(([span]) => `${document}: ${span}`),
    );
    assert.deepEqual(missing, []);
  });

  test("sentences begin with a noun or a verb, and use the trade's words", () => {
    const texts: [name: string, text: string][] = [
      ...DOCUMENTS.map((path): [string, string] => [path, prose(read(path))]),
      ...Object.entries(VARIABLES).map(([name, { help }]): [string, string] => [name, help]),
      ...descriptions(),
    ];
    assert.ok(texts.length > 300, `${texts.length} texts`);
    assert.deepEqual(
      texts.flatMap(([name, text]) => riddles(text).map((found) => `${name}: ${found}`)),
      [],
    );
  });

  test("a riddle is noticed", () => {
    assert.deepEqual(riddles("Who asks. Of a post, 20 at the most. The token is none."), [
      "Who asks. Of a post, 20 at the most. The to",
      "at the most. The token is none.",
    ]);
    assert.deepEqual(riddles("The caller asks for a post, up to 20. The token is missing."), []);
  });

  test("no level of headings is left out", () => {
    const jumps = DOCUMENTS.flatMap((document) => {
      const headings = [...prose(read(document)).matchAll(/^(#{1,6}) +(.+)$/gm)];
      return headings
        .filter(([, marks = ""], index) => index > 0 && marks.length > (headings[index - 1]?.[1]?.length ?? 0) + 1)
        .map(([, , text]) => `${document}: ${text}`);
    });
    assert.deepEqual(jumps, []);
  });

  test("no document runs a package of the registry that has our name", () => {
    assert.deepEqual(
      DOCUMENTS.filter((path) => /npx[ ]content-api/.test(read(path))),
      [],
    );
  });
});

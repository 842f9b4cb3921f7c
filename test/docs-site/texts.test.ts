import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readContents } from "../../docs/.vitepress/site/contents.ts";
import { LARGEST_FULL, llmsFullText, llmsText, pageAsMarkdown } from "../../docs/.vitepress/site/machine-texts.ts";
import { siteLink } from "../../docs/.vitepress/site/markdown.ts";
import { listPages, ROOT, resolveLink, sitePath, textOf } from "../../docs/.vitepress/site/sources.ts";
import { plain, sectionsOf, withLinks, withoutMarks } from "../../docs/.vitepress/site/text.ts";

const groups = readContents();
const pages = new Set(listPages().map(sitePath));

function linksOf(markdown: string): string[] {
  const found: string[] = [];
  withLinks(markdown, (target) => {
    found.push(target);
    return target;
  });
  return found;
}

describe("D06 texts for machines", () => {
  test("D06 llms.txt lists every page of the table of contents, and its links exist", () => {
    const text = llmsText(groups);
    assert.match(text, /^# Content API\n\n> /);
    const links = linksOf(text).filter((link) => link !== "llms-full.txt" && !link.startsWith("files/"));
    assert.deepEqual(
      links.filter((link) => !pages.has(link)),
      [],
    );
    const listed = new Set(links);
    assert.deepEqual(
      [...pages].filter((page) => !listed.has(page) && !/^(?:project\/|index\.md)/.test(page)),
      [],
    );
  });

  test("D06 llms-full.txt has at most 300 kB, whole pages, and the names of those that do not fit", () => {
    assert.ok(LARGEST_FULL <= 300_000);
    const text = llmsFullText(groups);
    assert.ok(Buffer.byteLength(text) <= LARGEST_FULL, `${Buffer.byteLength(text)} bytes`);
    for (const page of ["oauth.md", "graphql.md", "operations.md", "errors.md"])
      assert.ok(text.includes(`\nSource: ${page}\n`), page);
    const small = llmsFullText(groups, 80_000);
    assert.ok(Buffer.byteLength(small) <= 80_000);
    assert.match(small, /\nFurther pages:\n\n- \[/);
  });

  test("D06 links of llms-full.txt and of each page as Markdown lead to pages, files and pictures", () => {
    const folders = [
      ["", llmsFullText(groups)] as const,
      ...listPages().map((file) => [sitePath(file), pageAsMarkdown(file)] as const),
    ];
    const missing = folders.flatMap(([page, text]) =>
      linksOf(text)
        .filter((link) => !/^(?:[a-z][a-z+.-]*:|#)/i.test(link))
        .map((link) => join(page, "..", link.replace(/#.*/, "")).replace(/^\.\.\//, ""))
        .filter((path) => !pages.has(path) && !isCopied(path))
        .map((path) => `${page}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });

  test("D06 code blocks of the copies name their language alone", () => {
    const text = "```sh run\nnpm start\n```\n\n- x\n\n  ```ini none: needs a cluster\n  A=b # c\n  ```\n";
    assert.equal(withoutMarks(text), "```sh\nnpm start\n```\n\n- x\n\n  ```ini\n  A=b # c\n  ```\n");
    for (const file of listPages())
      assert.doesNotMatch(pageAsMarkdown(file), /^ *```[\w-]+ +(?:run|type|schema|output|none)\b/m, file);
  });
});

function isCopied(path: string): boolean {
  if (!path.startsWith("files/")) return existsSync(join(ROOT, "docs", path));
  return existsSync(join(ROOT, path.slice("files/".length).replace(/\.txt$/, "")));
}

describe("D01 sources of the site", () => {
  test("the sidebar has the groups and pages of docs/README.md, in that order", () => {
    const text = readFileSync(join(ROOT, "docs/README.md"), "utf8");
    assert.deepEqual(
      groups.map(({ title }) => title),
      sectionsOf(text)
        .filter(({ level }) => level === 2)
        .map(({ heading }) => heading),
    );
    const listed = groups.flatMap(({ entries }) => entries.map(({ file }) => file));
    assert.deepEqual(
      listPages().filter((file) => file.startsWith("docs/") && file !== "docs/README.md" && !listed.includes(file)),
      [],
    );
    const oauth = groups.flatMap(({ entries }) => entries).find(({ path }) => path === "oauth.md");
    assert.equal(oauth?.title, "Connecting a client");
    assert.match(oauth?.about ?? "", /register/);
  });

  test("every file has a place of its own", () => {
    assert.equal(pages.size, listPages().length);
    assert.equal(sitePath("docs/README.md"), "index.md");
    assert.equal(sitePath("docs/decisions/0003-postgresql.md"), "decisions/0003-postgresql.md");
    assert.equal(sitePath("examples/spa/README.md"), "project/examples/spa.md");
    assert.equal(sitePath("CONTRIBUTING.md"), "project/contributing.md");
  });

  test("links for GitHub become links of the site", () => {
    assert.equal(siteLink("docs/oauth.md", "graphql.md#lists"), "graphql.html#lists");
    assert.equal(siteLink("docs/oauth.md", "../README.md#settings"), "project/readme.html#settings");
    assert.equal(siteLink("README.md", "docs/oauth.md"), "../oauth.html");
    assert.equal(siteLink("README.md", "examples/spa"), "examples/spa.html");
    assert.equal(siteLink("docs/evidence/faults.md", "../operations.md"), "../operations.html");
    for (const link of ["https://example.com/x.md", "#here", "mailto:a@example.com"])
      assert.equal(siteLink("docs/oauth.md", link), link);
    assert.throws(() => siteLink("docs/oauth.md", "nowhere.md"), /docs\/oauth\.md: there is no docs\/nowhere\.md/);
  });

  test("files outside docs are copied as text; a folder gives the text of its files", () => {
    const copied: string[] = [];
    const link = siteLink("docs/operations.md", "../deploy/proxies", (source, path) => copied.push(source, path));
    assert.equal(link, "files/deploy/proxies.txt");
    assert.deepEqual(copied, ["deploy/proxies", "files/deploy/proxies.txt"]);
    assert.match(
      textOf("deploy/proxies"),
      /^==> deploy\/proxies\/Caddyfile <==\n[\s\S]*==> deploy\/proxies\/nginx\.conf <==/,
    );
    assert.equal(textOf("schema.graphql"), readFileSync(join(ROOT, "schema.graphql"), "utf8"));
    assert.deepEqual(resolveLink("docs/studio.md", "images/studio-list-dark.webp"), {
      path: "images/studio-list-dark.webp",
      copied: null,
    });
  });

  test("sections know code from headings, and count equal headings as GitHub does", () => {
    const text = "# T\na\n## Okta\n```sh\n# no heading\n```\n## Okta\n### `MAX_DEPTH` and [x](y.md)\n";
    assert.deepEqual(
      sectionsOf(text).map(({ level, heading, anchor }) => [level, heading, anchor]),
      [
        [1, "T", "t"],
        [2, "Okta", "okta"],
        [2, "Okta", "okta-1"],
        [3, "MAX_DEPTH and x", "max_depth-and-x"],
      ],
    );
    assert.equal(plain("| a | **b** |\n| --- | --- |\n| `c` | [d](e.md) |"), "a b \n\n c d");
  });
});

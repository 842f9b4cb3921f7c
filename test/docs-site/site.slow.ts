import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { after, before, describe, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { LOOKS, violations } from "../axe.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { openSite, type TestSite } from "./site.ts";

/** Bytes of a page from which axe takes many seconds: such a page is of one kind of element, and is judged in one look only. */
const LONG = 120_000;

/** Pages with tables that are wider than a phone. */
const WIDE_TABLES = ["oauth.html", "people.html", "operations.html", "monitoring.html"];

describe("D01 the documentation as a site", () => {
  let site: TestSite;
  let chromium: TestBrowser;
  /** Paths of the built pages. */
  let pages: string[];
  before(async () => {
    site = await openSite();
    chromium = await openBrowser();
    pages = globSync("**/*.html", { cwd: site.folder }).sort();
  });
  after(async () => {
    await chromium?.close();
    await site?.close();
  });

  const read = (path: string) => readFileSync(join(site.folder, path), "utf8");
  const attributes = (html: string, name: string) =>
    [...html.matchAll(new RegExp(`<[a-z][^>]*?\\s${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
      value.replaceAll("&amp;", "&"),
    );

  test("D01 it is built within a minute, with a page for every document", () => {
    assert.ok(site.took < 60_000, `${Math.round(site.took)} ms`);
    const documents = globSync("docs/**/*.md", { cwd: join(import.meta.dirname, "../..") });
    assert.ok(documents.length >= 25, `${documents.length} documents`);
    for (const document of documents) {
      const page = document.replace(/^docs\//, "").replace(/README\.md$/, "index.md");
      assert.ok(existsSync(join(site.folder, page)), page);
      assert.ok(pages.includes(page.replace(/\.md$/, ".html")), page);
    }
    assert.deepEqual(
      pages.filter((page) => !existsSync(join(site.folder, page.replace(/html$/, "md")))),
      [],
    );
  });

  test("D01 every link leads to a file and every anchor to an element; nothing comes from another host", () => {
    const ids = new Map(pages.map((page) => [page, new Set(attributes(read(page), "id"))]));
    const wrong: string[] = [];
    let links = 0;
    for (const page of pages) {
      const html = read(page);
      for (const name of ["href", "src", "srcset"])
        for (const link of attributes(html, name)) {
          if (/^(?:data|mailto):/.test(link)) continue;
          links += 1;
          const isLoaded = name !== "href";
          if (/^(?:[a-z]+:)?\/\//.test(link)) {
            if (isLoaded || !html.includes(`<a href="${link.replaceAll("&", "&amp;")}"`))
              wrong.push(`${page}: loads ${link}`);
            continue;
          }
          const [path = "", anchor] = link.split("#");
          const target = path === "" ? page : posix.join(posix.dirname(page), decodeURI(path));
          const file = join(site.folder, target);
          if (!existsSync(file) || !statSync(file).isFile()) wrong.push(`${page}: no ${target}`);
          else if (anchor !== undefined && ids.get(target)?.has(decodeURI(anchor)) !== true)
            wrong.push(`${page}: no ${target}#${anchor}`);
        }
    }
    assert.ok(links > 2_000, `${links} links`);
    assert.deepEqual(wrong, []);
    for (const style of globSync("assets/*.css", { cwd: site.folder }))
      assert.doesNotMatch(read(style), /@import|url\(/);
    assert.deepEqual(globSync("assets/*.js", { cwd: site.folder }), [], "VitePress sends no script");
  });

  test("D02 no page shows the mark of a code block", () => {
    for (const page of pages) {
      const languages = [...read(page).matchAll(/<div class="language-([^"]*?)(?: [^"]*)?"/g)].map(
        ([, language = ""]) => language,
      );
      for (const language of languages) assert.match(language, /^[\w-]*$/, page);
    }
  });

  /** Opens a page and fails for a request to another host, an error of a script, or a file that is missing. */
  async function visit(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("request", (request) => {
      if (!/^(?:data:|blob:)/.test(request.url()) && !request.url().startsWith(site.url)) faults.push(request.url());
    });
    page.on("response", (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(site.url + path);
    assert.deepEqual(faults, [], path);
    return page;
  }

  for (const look of ["light, 1280 px", "dark, 390 px", "forced colours, 1280 px"])
    test(`D01 pages are accessible and nothing scrolls sideways: ${look}`, { timeout: 300_000 }, async () => {
      const context = await chromium.browser.newContext(LOOKS[look]);
      const wrong: string[] = [];
      try {
        for (const path of pages) {
          const page = await visit(context, path);
          const isJudged = statSync(join(site.folder, path)).size < LONG || look.startsWith("light");
          if (isJudged) wrong.push(...(await violations(page)).map((line) => `${path}: ${line}`));
          const wider = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
          if (wider > 0) wrong.push(`${path}: ${wider} px too wide`);
          await page.close();
        }
      } finally {
        await context.close();
      }
      assert.deepEqual(wrong, []);
    });

  test("D01 without script: the text, the sidebar and the pages before and after are there, and no empty search field", async () => {
    const context = await chromium.browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    try {
      const page = await visit(context, "oauth.html");
      await page.getByRole("heading", { level: 1, name: "Connecting a client" }).waitFor();
      assert.equal(await page.getByRole("search").count(), 0);
      await page.getByRole("link", { name: "Contents" }).first().click();
      await page
        .getByRole("navigation", { name: "Contents", exact: true })
        .getByRole("link", { name: "Glossary" })
        .click();
      await page.getByRole("heading", { level: 1, name: "Glossary" }).waitFor();
      await page.getByRole("navigation", { name: "Previous and next page" }).getByRole("link").first().click();
      await page.getByRole("link", { name: "This page as Markdown" }).waitFor();
    } finally {
      await context.close();
    }
  });

  test("D09 the search finds while somebody types, by keyboard alone", async () => {
    const context = await chromium.browser.newContext();
    try {
      const page = await visit(context, "decisions/0003-postgresql.html");
      await page.getByRole("searchbox").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("rotate signing key");
      const first = page.getByRole("search").getByRole("link").first();
      await first.waitFor();
      assert.match((await first.textContent()) ?? "", /^Signing keys/);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${site.url}operations.html#signing-keys`);
      await page.keyboard.press("/");
      await page.keyboard.type("xyzzyplugh");
      await page.getByText("Nothing found").waitFor();
      await page.keyboard.press("Escape");
    } finally {
      await context.close();
    }
  });

  test("D09 the index and the texts for machines are as small as they should be", () => {
    assert.ok(statSync(join(site.folder, "search.json")).size <= 200_000);
    assert.ok(statSync(join(site.folder, "llms-full.txt")).size <= 300_000);
    const [script = ""] = globSync("search-*.js", { cwd: site.folder });
    assert.ok(statSync(join(site.folder, script)).size <= 10_000, script);
    assert.match(read("llms.txt"), /files\/schema\.graphql\.txt/);
    assert.ok(existsSync(join(site.folder, "files/schema.graphql.txt")));
    for (const page of WIDE_TABLES)
      assert.match(read(page), /<table tabindex="0">/, "a wide table can be scrolled by keyboard");
  });
});

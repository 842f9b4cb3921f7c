import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createCssVariablesTheme } from "shiki";
import { defineConfigWithTheme } from "vitepress";
import { colorRules } from "../../src/design/colors.ts";
import { ICON_URL } from "../../src/design/mark.ts";
import { buildSearchScript } from "./browser/build.ts";
import { buildIndex } from "./search/build.ts";
import { readContents } from "./site/contents.ts";
import { writeMachineTexts } from "./site/machine-texts.ts";
import { openMarkdownRules } from "./site/markdown.ts";
import { listOthers, listPages, ROOT, sitePath, textOf } from "./site/sources.ts";
import { slugOf } from "./site/text.ts";
import type { ThemeConfig } from "./theme/layout.ts";

const pages = listPages();
/** Files and folders that pages link to: what is copied, by its place in the site. */
const copies = new Map<string, string>();
const COLOURS = "virtual:colours.css";
/** Scripts and texts that the build writes beside VitePress's own files. */
const searchScript = await buildSearchScript();

/**
 * The documentation as a site: `npm run docs` writes it to build/docs. The pages are plain HTML (`mpa`): VitePress sends no
 * script of its own, and ours, for the search, is the only one. Every URL is relative, so the site works below any path.
 */
export default defineConfigWithTheme<ThemeConfig>({
  title: "Content API",
  description: "Users and posts over one GraphQL endpoint, with an OAuth 2.0 and OpenID Connect authorization server.",
  lang: "en",
  srcDir: "..",
  // Markdown that is no page, and files that VitePress would take for settings of its own.
  srcExclude: [...listOthers(), "{build,data,dist}/**", "*/**/config.{js,ts}"],
  rewrites: Object.fromEntries(pages.map((page) => [page, sitePath(page)])),
  outDir: "../build/docs",
  cacheDir: "../build/docs-cache",
  base: "./",
  mpa: true,
  appearance: false,
  ignoreDeadLinks: true, // test/docs-site follows every link of the built pages
  head: [["link", { rel: "icon", href: ICON_URL }]],
  markdown: {
    theme: createCssVariablesTheme({ name: "colours", variablePrefix: "--code-", fontStyle: false }),
    anchor: { slugify: slugOf },
    headers: { level: [2, 3], slugify: slugOf },
    toc: { slugify: slugOf },
    config: openMarkdownRules((source, path) => copies.set(path, source)),
  },
  themeConfig: { groups: readContents(), searchScript: searchScript.name },
  vite: {
    publicDir: false,
    plugins: [
      {
        name: "colours",
        resolveId: (id) => (id === COLOURS ? `\0${COLOURS}` : null),
        load: (id) => (id === `\0${COLOURS}` ? colorRules() : null),
      },
    ],
  },
  // Pictures are copied as they are.
  vue: { template: { transformAssetUrls: { tags: {}, includeAbsolute: false } } },
  buildEnd({ outDir }) {
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(outDir, path)), { recursive: true });
      writeFileSync(join(outDir, path), text);
    };
    // Empty without a script, and its relative URLs would be wrong at most paths. Hosts have a page of their own.
    rmSync(join(outDir, "404.html"));
    cpSync(join(ROOT, "docs/images"), join(outDir, "images"), { recursive: true });
    for (const file of ["structure.svg", "openapi.json"]) cpSync(join(ROOT, "docs", file), join(outDir, file));
    for (const [path, source] of copies) write(path, textOf(source));
    write(searchScript.name, searchScript.text);
    write("search.json", JSON.stringify(buildIndex()));
    writeMachineTexts(write);
  },
});

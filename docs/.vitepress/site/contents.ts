import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, resolveLink } from "./sources.ts";
import { plain, sectionsOf, titleOf } from "./text.ts";

/** A page as the table of contents lists it. */
export interface Entry {
  /** The Markdown file, from the project's folder on. */
  readonly file: string;
  /** Its place in the site, such as `oauth.md`. */
  readonly path: string;
  readonly title: string;
  /** The sentence of the table; empty in a list. */
  readonly about: string;
}

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The groups of docs/README.md, with the pages that their tables and lists name, in that order. */
export function readContents(root = ROOT): Group[] {
  const file = "docs/README.md";
  return sectionsOf(readFileSync(join(root, file), "utf8"))
    .filter(({ level }) => level === 2)
    .map(({ heading, text }) => ({
      title: heading,
      entries: text.split("\n").flatMap((line) => entryOf(file, line, root)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** The page of a row `| [x](x.md) | about |` or of an item `- [x](x.md): about`. */
function entryOf(file: string, line: string, root: string): Entry[] {
  const row = /^\| \[[^\]]*\]\(([^)#\s]+\.md)\) \| (.*) \|$/.exec(line);
  const item = /^(?:-|\d+\.) \[[^\]]*\]\(([^)#\s]+\.md)\)/.exec(line);
  const link = row?.[1] ?? item?.[1];
  if (link === undefined || /^[a-z]+:/.test(link)) return [];
  const page = join("docs", link);
  const title = titleOf(readFileSync(join(root, page), "utf8"));
  return [{ file: page, path: resolveLink(file, link, root).path, title, about: plain(row?.[2] ?? "") }];
}

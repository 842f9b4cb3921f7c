import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Group, readContents } from "./contents.ts";
import { siteLink } from "./markdown.ts";
import { listPages, ROOT, sitePath } from "./sources.ts";
import { withLinks, withoutMarks } from "./text.ts";

/** Bytes of llms-full.txt at most, so that it fits into what a model reads in one go. */
export const LARGEST_FULL = 300_000;

/** Groups whose pages programs and people who use the server need, most needed first; the pages of the others are listed only. */
const IN_FULL = [/^tasks/i, /^for developers of clients/i, /^for operators/i, /^for writers/i];

/** A page as Markdown, with links that work beside the built pages: to the `.md` file of another page. */
export function pageAsMarkdown(file: string, root = ROOT): string {
  const text = withoutMarks(readFileSync(join(root, file), "utf8"));
  return withLinks(text, (link) => siteLink(file, link).replace(/\.html(?=#|$)/, ".md"));
}

/** https://llmstxt.org: what the site has, one line a page. */
export function llmsText(groups: readonly Group[]): string {
  const parts = groups.map(({ title, entries }) =>
    [
      `## ${title}`,
      "",
      ...entries.map(({ title, path, about }) => `- [${title}](${path})${about === "" ? "" : `: ${about}`}`),
    ].join("\n"),
  );
  return `# Content API

> Users and posts over one GraphQL endpoint, with a complete OAuth 2.0 and OpenID Connect authorization server in the same
> program, on SQLite or PostgreSQL.

Each page of the site is Markdown too: replace \`.html\` by \`.md\`. [llms-full.txt](llms-full.txt) has the pages for users of
the program in one file. The schema in SDL is at [files/schema.graphql.txt](files/schema.graphql.txt).

${parts.join("\n\n")}
`;
}

/**
 * The pages for users of the program, one after another, each with its URL. A page that would make the file too large is
 * named at the end instead.
 */
export function llmsFullText(groups: readonly Group[], most = LARGEST_FULL, root = ROOT): string {
  const left: string[] = [];
  let text = "# Content API\n\nThe documentation of the program for its users, in one file.\n";
  for (const needed of IN_FULL)
    for (const { file, path, title } of groups
      .filter((one) => needed.test(one.title))
      .flatMap(({ entries }) => entries)) {
      const page = `\n---\n\nSource: ${path}\n\n${fromRoot(file, root).trim()}\n`;
      // Room for the names of pages that are left out.
      if (Buffer.byteLength(text + page) > most - 4_000) left.push(`- [${title}](${path})`);
      else text += page;
    }
  return left.length === 0 ? text : `${text}\n---\n\nFurther pages:\n\n${left.join("\n")}\n`;
}

/** A page whose links start at the site's root, because the text stands there. */
function fromRoot(file: string, root: string): string {
  const folder = posix.dirname(sitePath(file));
  return withLinks(pageAsMarkdown(file, root), (link) =>
    /^(?:[a-z][a-z+.-]*:|#)/i.test(link) ? link : posix.join(folder, link),
  );
}

/** Writes llms.txt, llms-full.txt and each page as Markdown. */
export function writeMachineTexts(write: (path: string, text: string) => void): void {
  const groups = readContents();
  write("llms.txt", llmsText(groups));
  write("llms-full.txt", llmsFullText(groups));
  for (const file of listPages()) write(sitePath(file), pageAsMarkdown(file));
}

import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { listPages, resolveLink, sitePath } from "./sources.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** Links to other hosts and to the page itself stay as they are. */
const STAYS = /^(?:[a-z][a-z+.-]*:|#|\/\/)/i;

/**
 * Rules for the sources, which are written for GitHub: links lead to the site's own pages and copies, and code blocks lose
 * the mark that says how they are checked. All URLs are relative, so the site works below any path.
 *
 * @param copied called with each file or folder that must be copied, and its place in the site
 */
export function openMarkdownRules(copied: (source: string, path: string) => void): (md: MarkdownRenderer) => void {
  const files = new Map(listPages().map((file) => [sitePath(file), file]));

  return (md) => {
    md.renderer.rules.link_open = (tokens, index, options, _env, renderer) =>
      renderer.renderToken(tokens, index, options);
    md.core.ruler.push("sources-for-github", (state) => {
      const page = String((state.env as { relativePath?: string }).relativePath);
      const file = files.get(page) ?? page;
      const follow = (link: string) => siteLink(file, link, copied);
      for (const token of state.tokens) {
        if (token.type === "fence") token.info = /^\S*/.exec(token.info)?.[0] ?? "";
        if (token.type === "html_block") token.content = bindSources(token.content, follow);
        for (const child of token.children ?? []) followIn(child, follow);
      }
    });
  };
}

/** Vue's compiler would import pictures that it finds in plain attributes. */
function bindSources(html: string, follow: (link: string) => string): string {
  return html.replaceAll(/\b(src|srcset)="([^"]+)"/g, (_all, name, link) => `:${name}="'${follow(link)}'"`);
}

function followIn(token: Token, follow: (link: string) => string): void {
  const attribute = token.type === "link_open" ? "href" : token.type === "image" ? "src" : null;
  const link = attribute === null ? null : token.attrGet(attribute);
  if (attribute !== null && link !== null) token.attrSet(attribute, follow(link));
}

/** A link of a Markdown file as the built page has it: relative, and `.html` for pages. */
export function siteLink(
  file: string,
  link: string,
  copied: (source: string, path: string) => void = () => {},
): string {
  if (STAYS.test(link)) return link;
  const [path = "", anchor] = link.split("#");
  const target = resolveLink(file, path);
  if (target.copied !== null) copied(target.copied, target.path);
  const to = posix.relative(posix.dirname(sitePath(file)), target.path).replace(/\.md$/, ".html");
  return anchor === undefined ? to : `${to}#${anchor}`;
}

import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { listPages, resolveLink, sitePath, titlesOf } from "./sources.ts";

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
    // Long names may break after their parts, so that tables fit on narrow screens.
    md.renderer.rules.code_inline = (tokens, index) => {
      const text = md.utils.escapeHtml(tokens[index]?.content ?? "");
      return `<code v-pre>${text.replaceAll(/[_/.:-](?=[A-Za-z0-9{])/g, "$&<wbr>")}</code>`;
    };
    md.core.ruler.push("sources-for-github", (state) => {
      const page = String((state.env as { relativePath?: string }).relativePath);
      const file = files.get(page) ?? page;
      const follow = (link: string) => siteLink(file, link, copied);
      state.tokens = withoutEmptyHeads(state.tokens);
      for (const token of state.tokens) {
        if (token.type === "fence") token.info = /^\S*/.exec(token.info)?.[0] ?? "";
        if (token.type === "html_block") token.content = bindSources(token.content, follow);
        const children = token.children ?? [];
        for (const [index, child] of children.entries()) {
          nameByTitle(file, child, children[index + 1]);
          followIn(child, follow);
        }
      }
    });
  };
}

/** A table needs a head on GitHub. One without words only confuses screen readers, and so does such a cell. */
function withoutEmptyHeads(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const close =
      token.type === "thead_open" ? tokens.findIndex(({ type }, at) => at > index && type === "thead_close") : -1;
    const isEmpty = close !== -1 && tokens.slice(index, close).every(({ content }) => content === "");
    if (isEmpty) index = close;
    else kept.push(token);
    if (token.type === "th_open" && tokens[index + 1]?.content === "")
      for (const part of [token, tokens[index + 2]]) if (part !== undefined) part.tag = "td";
  }
  return kept;
}

/** Vue's compiler would import pictures that it finds in plain attributes. */
function bindSources(html: string, follow: (link: string) => string): string {
  return html.replaceAll(/\b(src|srcset)="([^"]+)"/g, (_all, name, link) => `:${name}="'${follow(link)}'"`);
}

function followIn(token: Token, follow: (link: string) => string): void {
  const attribute = token.type === "link_open" ? "href" : token.type === "image" ? "src" : null;
  const link = attribute === null ? null : text(token.attrGet(attribute));
  if (attribute !== null && link !== null) token.attrSet(attribute, follow(link));
}

function text(value: string | number | null): string | null {
  return value === null ? null : String(value);
}

/** On GitHub `[oauth.md](oauth.md)` names a file. In the site it names the page. */
function nameByTitle(file: string, token: Token, next: Token | undefined): void {
  const href = token.type === "link_open" ? text(token.attrGet("href")) : null;
  if (href === null || next?.type !== "text" || !/^[\w./-]+\.md$/.test(next.content)) return;
  const target = resolveLink(file, /^[^#]*/.exec(href)?.[0] ?? "");
  next.content = titlesOf().get(target.path) ?? next.content;
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

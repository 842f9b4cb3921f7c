import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import type { RenderedMarkdown } from "./domain/rendering.ts";

/** What the HTML of a body may have in it; anything else is left out, its text stays. */
const TAGS = [
  ...["a", "blockquote", "br", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "li", "ol", "p", "pre"],
  ...["s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"],
];

/** HTML of allowed tags without attributes has nothing to be taken out. Seeing that takes a tenth of the time. */
const PLAIN = new RegExp(`^[^<]*(?:</?(?:${TAGS.join("|")})>[^<]*)*$`);

const markdownIt = new MarkdownIt({ html: false });
type Token = ReturnType<typeof markdownIt.parse>[number];

const options: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { a: ["href", "title", "rel"], img: ["src", "alt", "title"], ol: ["start"], code: ["class"] },
  allowedClasses: { code: ["language-*"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  // Who is linked to neither gains by it nor learns of the page that links.
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener noreferrer" }) },
};

/**
 * Markdown by markdown-it, in which HTML is text, and then once more through sanitize-html, so that two mistakes are needed
 * and not one.
 */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  const tokens = markdownIt.parse(markdown, {});
  const html = markdownIt.renderer.render(tokens, markdownIt.options, {});
  return { html: PLAIN.test(html) ? html : sanitizeHtml(html, options), text: textOf(tokens) };
}

/** What a reader would read aloud, blocks apart. */
function textOf(tokens: readonly Token[]): string {
  const parts: string[] = [];
  for (const { type, content, children } of tokens) {
    if (children !== null && children.length > 0) parts.push(textOf(children));
    else if (type === "softbreak" || type === "hardbreak") parts.push(" ");
    else parts.push(content);
    if (type === "inline" || type === "fence" || type === "code_block") parts.push("\n");
  }
  return parts.join("");
}

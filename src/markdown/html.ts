import MarkdownIt from "markdown-it";
import type { RenderedMarkdown } from "../domain/posts/rendering.ts";
import { safeHtml } from "./safe-html.ts";

const markdownIt = new MarkdownIt({ html: false });
type Token = ReturnType<typeof markdownIt.parse>[number];

/**
 * Renders Markdown with markdown-it, which takes HTML for text, and then checks each tag of the result, so that one mistake
 * is not enough to let a script through.
 */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  const tokens = markdownIt.parse(markdown, {});
  const html = markdownIt.renderer.render(tokens, markdownIt.options, {});
  return { html: safeHtml(html), text: textOf(tokens) };
}

/** The text that a reader would read aloud, blocks apart. */
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

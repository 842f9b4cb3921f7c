import { CONTENT_STYLE, SERIF } from "../../../../design/content.ts";
import { escapeHtml } from "../../../../design/escape-html.ts";

const RULES = `
* { box-sizing: border-box; }
body { max-width: 44rem; margin: 0 auto; padding: 24px 16px 96px; background: var(--card); color: var(--ink); }
.post-title { margin: 0 0 24px; font: 600 32px/1.2 ${SERIF}; letter-spacing: -0.01em; overflow-wrap: anywhere; text-wrap: balance; }
@media (max-width: 30rem) { p, li { hyphens: auto; } }
.empty { color: var(--muted); }
${CONTENT_STYLE}`;

/**
 * The style of the frame: that of every post, in the colours of the page around the frame.
 *
 * @param colour gives the value of a custom property of the page, such as `--ink`
 */
export function frameStyle(colour: (name: string) => string, scheme: string): string {
  const used = [...new Set(RULES.match(/(?<=var\()--[a-z-]+/g))];
  return `:root { color-scheme: ${scheme}; ${used.map((name) => `${name}: ${colour(name)};`).join(" ")} }${RULES}`;
}

/** The whole document of the frame; later texts replace its body. */
export function frameDocument(style: string, nonce: string, language: string, body: string): string {
  return `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><style nonce="${escapeHtml(nonce)}">${style}</style></head><body>${body}</body></html>`;
}

/** The body of the frame: the title, and the HTML exactly as the server rendered it, in an element of its own. */
export function frameBody(title: string, bodyHtml: string): string {
  const heading = title.trim() === "" ? "" : `<h1 class="post-title" dir="auto">${escapeHtml(title)}</h1>`;
  const text = bodyHtml === "" ? '<p class="empty">Nothing is written yet.</p>' : bodyHtml;
  return `${heading}<div id="text" class="content" dir="auto">${text}</div>`;
}

import { createHash } from "node:crypto";
import { DARK, LIGHT } from "../design/colors.ts";
import { escapeHtml } from "../design/escape-html.ts";
import { ICON_URL, MARK_LINES } from "../design/mark.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** The parts around the text of a page. */
export interface Frame {
  readonly operator: string;
  /** Path of this page, such as `/docs/schema`. */
  readonly path: string;
  readonly title: string;
}

/** Named for its content, so that a browser may keep it. */
export const STYLE_PATH = `/docs/style-${createHash("sha256").update(STYLESHEET).digest("hex").slice(0, 12)}.css`;

/** No script, nothing from another host, and no frame around the page. */
export const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const PAGES: readonly (readonly [path: string, label: string])[] = [
  ["/docs", "Clients"],
  ["/docs/schema", "Schema"],
  ["/docs/settings", "Limits and scopes"],
  ["/docs/errors", "Errors"],
];

/** A whole document around `body`, which is HTML. */
export function page({ operator, path, title }: Frame, body: string): string {
  const links = PAGES.map(
    ([href, label]) => `<a href="${href}"${href === path ? ' aria-current="page"' : ""}>${label}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(`${title} · ${operator}`)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${LIGHT.paper}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${DARK.paper}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${ICON_URL}">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header><a class="home" href="/"><svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect class="mark-ground" width="32" height="32" rx="9"/><path class="mark-line" d="${MARK_LINES}" fill="none" stroke-width="2.5" stroke-linecap="round"/><circle class="mark-dot" cx="9.5" cy="16" r="3.5"/></svg><bdi>${escapeHtml(operator)}</bdi></a>
<nav aria-label="Documentation">${links.join(" ")}</nav></header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

import { createHash } from "node:crypto";
import { DARK, LIGHT } from "../design/colors.ts";
import { escapeHtml } from "../design/escape-html.ts";
import { ICON_URL, MARK_LINES } from "../design/mark.ts";
import type { Preview } from "../domain/posts/previews.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** The installation, as far as the pages tell of it. */
export interface PreviewSite {
  readonly operator: string;
  /** IANA name of the zone in which times are told. Asked for with the first page that needs it. */
  readonly timeZone: () => string;
}

const STYLE_HASH = `'sha256-${createHash("sha256").update(STYLESHEET).digest("base64")}'`;

/** No script, no cache, no referrer with the token in it, and no search engine. Pictures of a draft come from anywhere by https. */
export const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    "img-src 'self' https: data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow, noarchive",
};

export function previewPage(site: PreviewSite, preview: Preview): string {
  const { title, authorName, updatedAt, bodyHtml } = preview;
  const [state, meaning] = bannerOf(preview);
  const heading = title === "" ? "Untitled" : title;
  return page(
    site,
    `${state}: ${heading}`,
    `<p class="banner" role="note"><strong>${state}</strong><span>${meaning}</span></p>
<main>
<h1 dir="auto">${escapeHtml(heading)}</h1>
<p class="by">By <bdi>${escapeHtml(authorName)}</bdi>, changed <time datetime="${updatedAt}">${timeIn(site.timeZone(), updatedAt)}</time></p>
<div class="content" dir="auto" lang="">${bodyHtml}</div>
</main>`,
  );
}

/** The page for a link that shows nothing: the same for each reason, byte for byte. */
export function nothingPage(site: PreviewSite): string {
  return notice(
    site,
    "Nothing to see here",
    "This link is unknown, has expired, or was revoked. Ask the person who sent it for another one.",
  );
}

/** The page for a text that the server cannot render. */
export function unreadablePage(site: PreviewSite): string {
  return notice(
    site,
    "This text cannot be shown",
    "Its Markdown takes too long to render. Ask its author to make it simpler, then open the link again.",
  );
}

function notice(site: PreviewSite, title: string, message: string): string {
  return page(site, title, `<main class="notice"><h1>${title}</h1><p>${message}</p></main>`);
}

function bannerOf({ status, isPublic }: Preview): readonly [state: string, meaning: string] {
  if (isPublic) return ["Published", "Everybody who may read posts can read this."];
  if (status === "ARCHIVED") return ["Archived", "Readers do not see this any more."];
  if (status === "PUBLISHED") return ["Draft of changes", "Readers still see the text before these changes."];
  return ["Draft", "This is not published yet, and may still change."];
}

function page({ operator }: PreviewSite, title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(`${title} · ${operator}`)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${LIGHT.paper}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${DARK.paper}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${ICON_URL}">
<style>${STYLESHEET}</style>
</head>
<body>
<header><svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect class="mark-ground" width="32" height="32" rx="9"/><path class="mark-line" d="${MARK_LINES}" fill="none" stroke-width="2.5" stroke-linecap="round"/><circle class="mark-dot" cx="9.5" cy="16" r="3.5"/></svg><bdi>${escapeHtml(operator)}</bdi></header>
${body}
</body>
</html>
`;
}

function timeIn(timeZone: string, time: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
    ...{ timeZone, timeZoneName: "short" },
  });
  return escapeHtml(format.format(new Date(time)));
}

import { createHash } from "node:crypto";
import { DARK, LIGHT } from "../../../design/colors.ts";
import { ICON_URL } from "../../../design/mark.ts";
import { type Html, html, trustedHtml } from "./html.ts";
import { MARK } from "./marks.ts";
import { STYLESHEET } from "./stylesheet.ts";

const STYLE_HASH = `'sha256-${createHash("sha256").update(STYLESHEET).digest("base64")}'`;

/** A whole document around `body`, which becomes its main landmark. Narrow is a 26 rem card, wide one of 64 rem. */
export function layout(options: { title: string; operator: string; width?: "narrow" | "wide" }, body: Html): string {
  const title = options.title === options.operator ? options.title : `${options.title} · ${options.operator}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${LIGHT.paper}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${DARK.paper}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${ICON_URL}">
<style>${trustedHtml(STYLESHEET)}</style>
</head>
<body class="${options.width ?? "narrow"}">
<header class="brand">${MARK}<bdi>${options.operator}</bdi></header>
<main class="parts">
${body}
</main>
</body>
</html>
`.toString();
}

export interface PagePolicy {
  readonly formAction?: readonly string[];
  readonly script?: string | null;
}

/**
 * The headers that every page needs.
 *
 * `formAction` lists where a form post on this page may be redirected to, beside ourselves: redirect URIs, or their
 * origins, or private-use schemes as `com.example.app:`. Chromium holds the whole chain of redirects after a form
 * post against `form-action`, so sign-in, consent and sign-out must name the client's.
 *
 * `script` is the address of the one script of the page, for passkeys; without it, the page runs none.
 *
 * There is no Cross-Origin-Opener-Policy: any value but `unsafe-none` cuts the tie to the window that opened ours,
 * and clients that sign people in through a popup wait for an answer over that tie.
 *
 * @throws TypeError when an entry of `formAction` is no address
 */
export function pageHeaders(options: PagePolicy = {}): Record<string, string> {
  const { script = null } = options;
  const formAction = new Set(["'self'", ...(options.formAction ?? []).map(formActionSource)]);
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${STYLE_HASH}`,
      ...(script === null ? [] : [`script-src ${script}`, "require-trusted-types-for 'script'"]),
      // The icon in the browser's tab.
      "img-src data:",
      `form-action ${[...formAction].join(" ")}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    ...(script === null
      ? {}
      : { "permissions-policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)" }),
  };
}

/** A CSP source for a redirect URI. The URL parser leaves no space, `;` or `,` in a scheme or host to break out with. */
function formActionSource(redirectUri: string): string {
  const url = new URL(redirectUri);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  // The grammar of CSP sources has no IPv6 literals, and Chromium drops them.
  return isWeb && !url.hostname.startsWith("[") ? url.origin : url.protocol;
}

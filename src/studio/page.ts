import { colorRules, LIGHT } from "../design/colors.ts";
import { escapeHtml } from "../design/escape-html.ts";
import { ICON_URL, MARK_LINES } from "../design/mark.ts";
import type { Manifest } from "./files.ts";

const MARK = `<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><rect width="32" height="32" rx="9"/><path d="${MARK_LINES}"/><circle cx="9.5" cy="16" r="3.5"/></svg>`;

/** The settings of the page and its scripts. */
export interface PageSettings {
  readonly operator: string;
  /** Path of the studio, without a slash at the end. */
  readonly base: string;
  readonly graphqlPath: string;
  readonly graphqlUrl: string;
  readonly homePath: string;
  readonly issuer: string;
  /** Metadata of the authorization server (RFC 8414), as JSON. */
  readonly authorizationServer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly signedOutUri: string;
  /** Space-separated. */
  readonly scope: string;
}

/** @param nonce of the page's style elements */
export function securityHeaders(issuer: string, nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${new URL(issuer).origin}`,
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types studio",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}

/** The page at every address of the studio: its frame, which the scripts fill. */
export function shellHtml(settings: PageSettings, manifest: Manifest, nonce: string): string {
  const { base, operator } = settings;
  const asset = (name: string) => escapeHtml(`${base}/assets/${name}`);
  // Read by browser/session/settings.ts and browser/frame/document/parts.ts.
  const { build, parts } = manifest;
  const data = Object.entries({ ...settings, build, parts: JSON.stringify(parts) }).map(
    ([name, value]) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${escapeHtml(value)}"`,
  );
  return `<!doctype html>
<html lang="en" dir="ltr" ${data.join(" ")}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="style-nonce" content="${nonce}">
<title>Studio · ${escapeHtml(operator)}</title>
<link rel="icon" href="${ICON_URL}">
<link rel="manifest" href="${escapeHtml(base)}/manifest.webmanifest">
<style nonce="${nonce}">${COLOR_RULES}</style>
<link rel="stylesheet" href="${asset(manifest.style)}">
<script src="${escapeHtml(base)}/appearance.js"></script>
${manifest.preload.map((name) => `<link rel="modulepreload" href="${asset(name)}">\n`).join("")}<script type="module" src="${asset(manifest.main)}"></script>
</head>
<body>
<div id="studio">
<header class="bar"><a class="home" href="${escapeHtml(base)}/">${MARK}<span class="operator">${escapeHtml(operator)}</span></a></header>
<main class="page skeleton" aria-busy="true"><h1 class="visually-hidden">Studio</h1>
<noscript><div class="plain"><p>The studio needs JavaScript. The API does not: use the <a href="${escapeHtml(settings.graphqlPath)}">explorer</a>, or send your requests to <code>${escapeHtml(settings.graphqlUrl)}</code>. On the server, the command line has <code>user</code>, <code>client</code> and more.</p></div></noscript>
</main>
</div>
</body>
</html>
`;
}

/** Sources run without the studio's files. */
export function notBuiltHtml(settings: Pick<PageSettings, "operator" | "graphqlPath">): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Studio · ${escapeHtml(settings.operator)}</title>
</head>
<body>
<h1>The studio is not built</h1>
<p>This server runs from its sources, and the studio needs its built files. Start the server with <code>npm start</code>, which builds them. The API works: try the <a href="${escapeHtml(settings.graphqlPath)}">explorer</a>.</p>
</body>
</html>
`;
}

/** A web app manifest, so that the studio can stand among a device's programs. */
export function webManifest({ operator, base }: PageSettings): string {
  return JSON.stringify({
    name: `${operator} Studio`,
    short_name: operator,
    id: `${base}/`,
    start_url: `${base}/`,
    scope: `${base}/`,
    display: "standalone",
    background_color: LIGHT.paper,
    theme_color: LIGHT.paper,
    icons: [{ src: `${base}/icon.svg`, type: "image/svg+xml", sizes: "any", purpose: "any maskable" }],
  });
}

/** The mark as a program's icon: its edge may be cut off. */
export const APP_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="${LIGHT.accent}"/><g transform="translate(4.5 4.5) scale(.72)"><path d="${MARK_LINES}" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/><circle cx="9.5" cy="16" r="3.5" fill="#fff"/></g></svg>`;

/** Sets the appearance that the person chose, before the first paint. */
export const APPEARANCE_SCRIPT = `try {
  const chosen = localStorage.getItem("studio.appearance");
  if (chosen === "light" || chosen === "dark") document.documentElement.classList.add(chosen);
} catch {} // Storage may be forbidden.
`;

/** The script above sets these classes. */
const COLOR_RULES = colorRules({ light: ".light", dark: ".dark" });

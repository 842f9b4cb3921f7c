import { escapeHtml } from "../../design/escape-html.ts";
import { ICON_URL, MARK_LINES } from "../../design/mark.ts";

/** The product's mark, as on the pages where people sign in. */
const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9"/><path d="${MARK_LINES}"/><circle cx="9.5" cy="16" r="3.5"/></svg>`;

/** The settings of the pages and their scripts. */
export interface PageSettings {
  readonly operator: string;
  readonly homePath: string;
  readonly graphqlPath: string;
  /** The page's public address: sign-in starts and ends there. */
  readonly graphqlUrl: string;
  /** The path of the schema's introspection; null where introspection is off. */
  readonly schemaPath: string | null;
  readonly assetPath: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** Space-separated. */
  readonly scope: string;
}

/** Scripts from here only, connections to here and to the authorization server only, never in a frame. */
export function securityHeaders(issuer: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // GraphiQL sizes its panes and CodeMirror places its lines with style attributes.
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ${new URL(issuer).origin}`,
    "img-src 'self' data:",
    // The fonts in GraphiQL's style sheet are data: addresses.
    "font-src data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}

/** The editor's page. */
export function explorerHtml(settings: PageSettings): string {
  const { assetPath } = settings;
  return pageHtml(settings, {
    title: `Explorer · ${settings.operator}`,
    head: `<link rel="stylesheet" href="${escapeHtml(assetPath)}/graphiql.css">
<script defer src="${escapeHtml(assetPath)}/react.js"></script>
<script defer src="${escapeHtml(assetPath)}/react-dom.js"></script>
<script defer src="${escapeHtml(assetPath)}/graphiql.js"></script>
<script type="module" src="${escapeHtml(assetPath)}/explorer.js"></script>`,
    heading: `<h1 class="what">Explorer</h1>`,
    account: `<p class="person" id="person" hidden></p>
<button type="button" id="sign-in" hidden>Sign in</button>
<button type="button" id="sign-out" hidden>Sign out</button>`,
    main: `<p class="notice" id="notice" role="status"></p>
<main id="explorer">
<noscript><p class="plain">The explorer needs JavaScript. The API does not: send your queries to
<code>${escapeHtml(settings.graphqlUrl)}</code>.</p></noscript>
</main>
<footer class="keys" id="keys">In an editor, Tab indents. To leave the editor, press Esc, then Tab.</footer>`,
  });
}

/** The page that sign-in comes back to; it goes on to the editor by itself. */
export function callbackHtml(settings: PageSettings): string {
  return pageHtml(settings, {
    title: `Signing in · ${settings.operator}`,
    head: `<script type="module" src="${escapeHtml(settings.assetPath)}/callback.js"></script>`,
    heading: `<span class="what">Explorer</span>`,
    account: "",
    main: `<main class="plain">
<h1 id="title">Signing you in</h1>
<p id="message" role="status">One moment.</p>
<p><a id="back" href="${escapeHtml(settings.graphqlPath)}">Back to the explorer</a></p>
<noscript><p>The explorer needs JavaScript to finish the sign-in.</p></noscript>
</main>`,
  });
}

function pageHtml(
  settings: PageSettings,
  parts: Readonly<Record<"title" | "head" | "heading" | "account" | "main", string>>,
): string {
  // Read by browser/oauth.js.
  const data = Object.entries({
    operator: settings.operator,
    graphqlPath: settings.graphqlPath,
    graphqlUrl: settings.graphqlUrl,
    schemaPath: settings.schemaPath ?? "",
    issuer: settings.issuer,
    clientId: settings.clientId,
    redirectUri: settings.redirectUri,
    scope: settings.scope,
  }).map(
    ([name, value]) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${escapeHtml(value)}"`,
  );
  return `<!doctype html>
<html lang="en" ${data.join(" ")}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(parts.title)}</title>
<link rel="icon" href="${ICON_URL}">
${parts.head}
<link rel="stylesheet" href="${escapeHtml(settings.assetPath)}/explorer.css">
</head>
<body>
<header class="bar">
<a class="home" href="${escapeHtml(settings.homePath)}">${MARK}<span class="operator">${escapeHtml(settings.operator)}</span></a>
${parts.heading}
<div class="account">${parts.account}</div>
</header>
${parts.main}
</body>
</html>
`;
}

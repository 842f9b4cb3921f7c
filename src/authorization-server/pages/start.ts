import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { INFO, WARNING } from "./layout/marks.ts";

/** The page at `/`: what this is, its addresses, and where to go. Both addresses come without a slash at the end. */
export function startPage(model: {
  operator: string;
  baseUrl: string;
  issuer: string;
  state: "needs-set-up" | "ready";
  demo: boolean;
  /** The words before a command, such as `bin/content-api`. */
  command: string;
}): string {
  const { baseUrl } = model;
  return layout(
    { title: model.operator, operator: model.operator, width: "wide" },
    html`<div class="stack lead">
<h1>Users and posts, over one endpoint</h1>
<p class="muted">A GraphQL API with its own OAuth 2.0 and OpenID Connect server: people sign in here, agree to what a client may do, and the client reads and writes on their behalf.</p>
</div>
${model.state === "needs-set-up" && note(INFO, "One step left.", "The terminal that runs this service shows a one-time set-up link. Open it to become the administrator.")}
${model.demo && note(WARNING, "Demo data.", "The people, posts and clients here are made up and their passwords are public. Keep nothing real in it.")}
<p><a class="button primary" href="${baseUrl}/graphql">Open the explorer</a></p>
<section>
<h2>Addresses</h2>
<dl class="addresses">
${address("GraphQL endpoint", html`<code>POST ${baseUrl}/graphql</code>`)}
${address("Explorer, in the browser", link(`${baseUrl}/graphql`))}
${address("Your account, when you have one", link(`${model.issuer}/account`))}
${address("OpenID Connect discovery", link(`${model.issuer}/.well-known/openid-configuration`))}
${address("OAuth server metadata", link(wellKnown(model.issuer, "oauth-authorization-server")))}
${address("Protected resource metadata", link(wellKnown(`${baseUrl}/graphql`, "oauth-protected-resource")))}
</dl>
</section>
<section>
<h2>A first request</h2>
<pre tabindex="0" role="region" aria-label="Example request with curl"><code>curl ${baseUrl}/graphql \\
  -H 'Authorization: Bearer ACCESS_TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "{ posts(first: 3) { title createdAt author { name } } }"}'</code></pre>
</section>
<section>
<h2>Where to go next</h2>
<ol class="steps" role="list">
<li><p><strong>Look around.</strong> The <a href="${baseUrl}/graphql">explorer</a> shows the schema, signs you in and runs your queries.</p></li>
<li><p><strong>Register a client.</strong> In the folder of this service:</p>
<pre tabindex="0" role="region" aria-label="Command that registers a client"><code>${model.command} client create --name "My app" --redirect-uri http://localhost:8080/callback --public</code></pre></li>
<li><p><strong>Sign people in.</strong> Give any OpenID Connect library the issuer <code>${model.issuer}</code> and the client id. It needs the authorization code flow with PKCE, nothing more.</p></li>
</ol>
</section>`,
  );
}

function note(icon: Html, heading: string, text: string): Html {
  return html`<div class="note">${icon}<div><strong>${heading}</strong> ${text}</div></div>`;
}

function address(label: string, value: Html): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function link(href: string): Html {
  return html`<a href="${href}">${href}</a>`;
}

/** Puts the well-known part between host and path (RFC 8414 section 3.1, RFC 9728 section 3.1). */
function wellKnown(identifier: string, name: string): string {
  const url = new URL(identifier);
  return `${url.origin}/.well-known/${name}${url.pathname === "/" ? "" : url.pathname}`;
}

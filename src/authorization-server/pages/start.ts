import { commandLine } from "./layout/command.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { INFO, WARNING } from "./layout/marks.ts";

export interface StartModel {
  readonly operator: string;
  /** Without a slash at the end, as `issuer`. */
  readonly baseUrl: string;
  readonly issuer: string;
  /** Whether people can write at `/studio`. */
  readonly hasStudio: boolean;
  /** Whether there are pages for developers of clients at `/docs`. */
  readonly hasDocs: boolean;
  /** Whether agents find an endpoint here. */
  readonly hasAgents: boolean;
  readonly state: "needs-set-up" | "ready";
  readonly demo: boolean;
  /** Whether anybody may create an account. */
  readonly isOpen: boolean;
  /** The words before a command, such as `bin/content-api`. */
  readonly command: string;
  /** Person signed in in this browser; null for a stranger or a disabled person. */
  readonly person: { readonly name: string; readonly isAdministrator: boolean } | null;
}

/** The page at `/`: what this is, where to go, and the addresses. It says what the visitor can do: a stranger, a person, an administrator. */
export function startPage(model: StartModel): string {
  const { operator, baseUrl, issuer, person } = model;
  return layout(
    { title: operator, operator, width: "wide" },
    html`${greeting(model)}
${model.state === "needs-set-up" && note(INFO, "One step left.", "The terminal that runs this service shows a one-time set-up link. Open it to become the administrator.")}
${model.demo && note(WARNING, "Demo data.", "The people, posts and clients here are made up and their passwords are public. Keep nothing real in it.")}
<p class="ways">${
      person !== null
        ? html`${studioWay(model, "primary")}<a class="button${!model.hasStudio && " primary"}" href="${baseUrl}/graphql">Open the explorer</a> <a class="button" href="${issuer}/account">Your account</a>`
        : model.state === "ready"
          ? html`<a class="button primary" href="${issuer}/account">Sign in</a> ${model.isOpen && html`<a class="button" href="${issuer}/sign-up">Create an account</a> `}${studioWay(model)}<a class="button" href="${baseUrl}/graphql">Open the explorer</a>`
          : html`<a class="button primary" href="${baseUrl}/graphql">Open the explorer</a>`
    }</p>
${(person?.isAdministrator || model.state === "needs-set-up") && administration(model.command)}
<section>
<h2>Build a client</h2>
<ol class="steps" role="list">
<li><p><strong>Read the documentation.</strong> ${model.hasDocs && html`<a href="${baseUrl}/docs">Pages for developers of clients</a> have examples, limits and errors. `}The <a href="${baseUrl}/graphql?docs">schema</a> names every field and the scopes that it needs. Guides are in the folder <code>docs</code> of this service.</p></li>
<li><p><strong>Get a client id.</strong> ${person?.isAdministrator ? "Register a client as shown above." : html`Ask the administrator of <bdi>${operator}</bdi> to register your client.`}</p></li>
<li><p><strong>Sign people in.</strong> Give any OpenID Connect library the issuer <code>${issuer}</code> and the client id. It needs the authorization code flow with PKCE, nothing more.</p></li>
<li><p><strong>Send a request</strong> with the access token:</p>
<pre tabindex="0" role="region" aria-label="Example request with curl"><code>curl ${baseUrl}/graphql \\
  -H 'Authorization: Bearer ACCESS_TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "{ posts(first: 3) { title createdAt author { name } } }"}'</code></pre></li>
</ol>
</section>
<section>
<h2>URLs</h2>
<dl class="addresses">
${model.hasStudio && address("Studio, where people write", link(`${baseUrl}/studio`))}
${address("GraphQL endpoint", html`<code>POST ${baseUrl}/graphql</code>`)}
${model.hasAgents && address("Endpoint for AI agents (MCP)", html`<code>${baseUrl}/mcp</code>`)}
${address("Explorer, in the browser", link(`${baseUrl}/graphql`))}
${address("Account page", link(`${issuer}/account`))}
${address("OpenID Connect discovery", link(`${issuer}/.well-known/openid-configuration`))}
${address("OAuth server metadata", link(wellKnown(issuer, "oauth-authorization-server")))}
${address("Protected resource metadata", link(wellKnown(`${baseUrl}/graphql`, "oauth-protected-resource")))}
</dl>
</section>`,
  );
}

function studioWay({ hasStudio, baseUrl }: StartModel, kind = ""): Html | false {
  return hasStudio && html`<a class="button${kind !== "" && ` ${kind}`}" href="${baseUrl}/studio">Open the studio</a> `;
}

function greeting({ operator, person }: StartModel): Html {
  if (person === null)
    return html`<div class="stack lead">
<h1>Users and posts, over one endpoint</h1>
<p class="muted">A GraphQL API with its own OAuth 2.0 and OpenID Connect server. People sign in here and agree to what a client may do. The client then reads and writes on their behalf.</p>
</div>`;
  return html`<div class="stack lead">
<h1>Hello, <bdi>${person.name}</bdi></h1>
<p class="muted">You are signed in to <bdi>${operator}</bdi>${person.isAdministrator && " as an administrator"}. ${
    person.isAdministrator
      ? "The explorer runs your queries with your rights, the administration fields included."
      : "The explorer runs your queries with your rights. Your account page lists your sessions and the clients that you have allowed."
  }</p>
</div>`;
}

function administration(program: string): Html {
  return html`<section>
<h2>Administration</h2>
<p>Run these commands in the folder of this service:</p>
<ol class="steps" role="list">
<li><p><strong>Register a client</strong>, a program that acts for people:</p>
${commandLine({ program, label: "Command that registers a client", rest: 'client create --name "My app" --redirect-uri http://localhost:8080/callback --public' })}</li>
<li><p><strong>Add a person:</strong></p>
${commandLine({ program, label: "Command that adds a person", rest: 'user create --email bob@example.com --name "Bob"' })}</li>
<li><p><strong>Check the installation:</strong></p>
${commandLine({ program, label: "Command that checks the installation", rest: "doctor" })}</li>
</ol>
</section>`;
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

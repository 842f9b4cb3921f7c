import { escapeHtml } from "../design/escape-html.ts";
import { block, code } from "./html.ts";
import type { Installation } from "./installation.ts";

/** The first page: the URLs, and from there to an answer, with commands that work as they are. */
export function clientPage({ baseUrl, issuer, isPublic, hasAgents, schema }: Installation): string {
  const discovery = `${issuer}/.well-known/openid-configuration`;
  const query = `curl ${baseUrl}/graphql \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"query": "{ posts(first: 3) { id title createdAt author { name } } }"}'`;
  return `<p>The URLs, limits and scopes on these pages are those of this server, as it runs now.</p>
<h2 id="urls">URLs</h2>
<ul>
<li>GraphQL: ${code(`POST ${baseUrl}/graphql`)}</li>
<li>OAuth issuer: ${code(issuer)}</li>
<li>Discovery: <a href="${escapeHtml(discovery)}">${escapeHtml(discovery)}</a></li>
${schema === null ? "" : `<li>Schema in SDL: <a href="${escapeHtml(baseUrl)}/schema.graphql">${escapeHtml(baseUrl)}/schema.graphql</a></li>`}
${hasAgents ? `<li>Agents (MCP): ${code(`${baseUrl}/mcp`)}</li>` : ""}
</ul>
<h2 id="discovery">1. Read the discovery document</h2>
<p>It names every endpoint, and what the server supports. Libraries for OpenID Connect need the issuer alone.</p>
${block("Command that reads the discovery document", `curl ${discovery}`)}
<h2 id="token">2. Get a token</h2>
<p>An administrator registers your client and gives you its ${code("client_id")}. A client that signs people in uses the
authorization code flow with PKCE, through a library. Its redirect URI must be registered character by character.</p>
<p>A program that acts for itself, with the grant ${code("client_credentials")}, gets a token in one request:</p>
${block(
  "Command that gets a token",
  `TOKEN=$(curl -s ${issuer}/token \\
  -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials \\
  -d "scope=posts:read users:read" \\
  -d resource=${baseUrl} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
)}
<h2 id="request">3. Send a request</h2>
${isPublic ? `<p>Posts and names of people are public here: without a token, leave out the line with ${code("Authorization")}.</p>` : ""}
${block("Command that reads posts", query)}
<p>A mutation is retried without a second effect when it has an ${code("Idempotency-Key")}:</p>
${block(
  "Command that creates a post",
  `curl ${baseUrl}/graphql \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(date +%s)" \\
  -d '{"query": "mutation { createPost(input: { title: \\"Hello\\", body: \\"First post\\" }) { id } }"}'`,
)}
<p>That needs the scope ${code("posts:write")}, and a token that acts for a person.</p>
<h2 id="further">Further pages</h2>
<ul>
${schema === null ? "" : '<li><a href="/docs/schema">Schema</a>: types and fields, with the scopes that each field needs</li>'}
<li><a href="/docs/settings">Limits, scopes and grants</a> of this server</li>
<li><a href="/docs/errors">Errors</a>, with the way out of each</li>
</ul>`;
}

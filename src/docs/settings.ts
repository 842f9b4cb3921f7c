import { escapeHtml } from "../design/escape-html.ts";
import { GRANT_TYPES } from "../domain/clients/client.ts";
import { isPrivilegedScope, isScope, sentenceOf } from "../domain/scopes.ts";
import { code, prose, table } from "./html.ts";
import type { Installation } from "./installation.ts";

const GRANTS: Readonly<Record<(typeof GRANT_TYPES)[number], string>> = {
  authorization_code: "signs a person in, with PKCE",
  refresh_token: "continues without the person. Each use gives another refresh token",
  client_credentials: "a client with a secret or a key acts for itself",
  "urn:ietf:params:oauth:grant-type:device_code": "signs a person in on a device without a browser",
};

/** The settings of this server that a client must know, its scopes and grants. */
export function settingPage({ settings, scopes }: Installation): string {
  const rows = settings.map(({ name, value, help }) => [code(name), value === "" ? "" : code(value), prose(help)]);
  const known = scopes.filter(isScope);
  return `<h2 id="limits">Limits and settings</h2>
<p>The field ${code("serverInfo")} has the limits of documents too. A document costs 1 point per object that it could return, and 10
per mutation and per ${code("totalCount")}.</p>
${table("Settings", ["setting", "here", "meaning"], rows)}
<h2 id="scopes">Scopes</h2>
<p>A client gets the scopes that it is registered for, that it asks for, and that the person agrees to.</p>
${table(
  "Scopes",
  ["scope", "allows", "given"],
  known.map((scope) => [
    code(scope),
    escapeHtml(sentenceOf(scope)),
    isPrivilegedScope(scope) ? "by an administrator, by name" : "to every client that asks",
  ]),
)}
<h2 id="grants">Grants</h2>
<p>A client is registered for the grants that it may use.</p>
${table(
  "Grants",
  ["grant", "use"],
  GRANT_TYPES.map((grant) => [code(grant), escapeHtml(GRANTS[grant])]),
)}`;
}

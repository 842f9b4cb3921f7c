import { isPrivilegedScope } from "../../domain/scopes.ts";
import {
  askedPerson,
  askingClient,
  type ConsentModel,
  decisionForm,
  longName,
  placeAndTime,
  scopeRows,
  unavailableNote,
  uncheckedSentence,
} from "./consent-parts.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";

/**
 * Posts `decision=approve|deny`, `question` and `csrf` to `action`; "Not you?" posts `csrf` to `switchAction`.
 *
 * @param model.scopes names of the scopes that the client asks for now
 */
export function consentPage(model: ConsentModel & { readonly scopes: readonly string[] }): string {
  const { client, operator } = model;
  const shown = [...new Set(model.scopes)]
    .filter((scope) => scope !== "offline_access")
    .sort((a, b) => Number(isPrivilegedScope(b)) - Number(isPrivilegedScope(a)));
  return layout(
    { title: `Allow ${client.name}`, operator },
    html`<h1${longName(client.name)}>Allow <bdi>${client.name}</bdi> access to your account?</h1>
${askingClient(client)}
${
  !client.checked &&
  html`<div class="note danger">${WARNING}<div><strong>${uncheckedSentence(client, operator)}</strong> Allow only if you know this client and started this yourself.</div></div>`
}
${
  shown.includes("admin") &&
  html`<div class="note danger">${WARNING}<div><strong>This makes <bdi>${client.name}</bdi> an administrator.</strong> It can do whatever you can: read and change everybody's accounts, posts, clients and settings. Allow only if you need it for administration.</div></div>`
}
${askedPerson(model)}
<div class="rows">
${scopeRows(shown)}
${placeAndTime(model)}
</div>
${unavailableNote(model)}
${decisionForm(model)}`,
  );
}

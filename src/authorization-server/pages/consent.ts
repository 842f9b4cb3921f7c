import { canChange, isScope, sentenceOf } from "../../domain/scopes.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { letterTile, WARNING } from "./layout/marks.ts";

/** Posts `decision=approve|deny` and `csrf` to `action`; "Not you?" posts `csrf` to `switchAction`. */
export function consentPage(model: {
  operator: string;
  action: string;
  csrf: string;
  client: {
    name: string;
    /** Where the answer goes: host and port, or a private-use scheme; null for another device. */
    redirectHost: string | null;
    /** The redirect goes to a loopback address. */
    loopback: boolean;
    /** Someone at the operator registered the client; false for self-registered ones. */
    checked: boolean;
  };
  person: { name: string; email: string };
  switchAction: string;
  /** What is asked for now, as scope names. */
  scopes: readonly string[];
  /** Other APIs where it may be used, by their addresses. */
  elsewhere?: readonly string[];
  /** Whether it may be used at this API too. */
  here?: boolean;
  /** What the client asked for and will not get. */
  unavailableScopes?: readonly string[];
  /** The client may stay connected while the person is away. */
  offline: boolean;
}): string {
  const { client, person, elsewhere = [] } = model;
  const csrf = html`<input type="hidden" name="csrf" value="${model.csrf}">`;
  const shown = [...new Set(model.scopes)].filter((scope) => scope !== "offline_access");
  const changes = shown.filter(canChange);
  const sees = shown.filter((scope) => scope !== "openid" && !changes.includes(scope));
  const unavailable = [...new Set(model.unavailableScopes)];
  return layout(
    { title: "Allow access", operator: model.operator },
    html`<h1>Allow access to your account?</h1>
<div class="identity">
${letterTile(client.name, "square")}
<div>
<p class="title client-name"><bdi>${client.name}</bdi></p>
<p class="small muted">${
      client.redirectHost === null
        ? "On another device, whose code you have entered"
        : client.loopback
          ? html`An app on this device (<bdi>${client.redirectHost}</bdi>)`
          : html`Returns to <bdi>${client.redirectHost}</bdi>`
    }</p>
</div>
</div>
${
  !client.checked &&
  html`<div class="note danger">${WARNING}<div><strong>Not checked by <bdi>${model.operator}</bdi>.</strong> Allow only if you know this client and started this yourself.</div></div>`
}
<div class="identity">
${letterTile(person.name, "round")}
<div><p><strong><bdi>${person.name}</bdi></strong></p><p class="small muted"><bdi>${person.email}</bdi></p></div>
<form method="post" action="${model.switchAction}">${csrf}<button class="quiet-button" type="submit">Not you?</button></form>
</div>
<div class="rows">
${shown.includes("openid") && row("Account", [sentenceOf("openid")])}
${sees.length > 0 && row("See", sees.map(sentence))}
${changes.length > 0 && row("Change", changes.map(sentence))}
${
  elsewhere.length > 0 &&
  row(
    model.here === false ? "Only at" : "Also at",
    elsewhere.map((address) => html`<bdi>${address}</bdi>`),
  )
}
${row("How long", [model.offline ? sentenceOf("offline_access") : "A short time, then it has to ask again"])}
</div>
${
  unavailable.length > 0 &&
  html`<div class="small muted"><p>It also asked for this, which it will not get:</p>
<ul role="list" class="dashes">${unavailable.map((scope) => html`<li>${sentence(scope)}</li>`)}</ul></div>`
}
<form method="post" action="${model.action}">${csrf}
<div class="pair">
<button type="submit" name="decision" value="approve">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</div>
</form>`,
  );
}

function row(heading: string, lines: readonly (string | Html)[]): Html {
  return html`<section><h2>${heading}</h2><ul role="list">${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}

function sentence(scope: string): string | Html {
  return isScope(scope) ? sentenceOf(scope) : html`Use the scope <code>${scope}</code>`;
}

import { canChange, isPrivilegedScope, isScope, sentenceOf } from "../../domain/scopes.ts";
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
    /** Host and port that get the answer, or a private-use scheme; null for another device. */
    redirectHost: string | null;
    /** The redirect goes to a loopback address. */
    loopback: boolean;
    /** Someone at the operator registered the client; false for self-registered ones. */
    checked: boolean;
  };
  person: { name: string; email: string };
  switchAction: string;
  /** Names of the scopes that the client asks for now. */
  scopes: readonly string[];
  /** Other APIs where it may be used, by their addresses. */
  elsewhere?: readonly string[];
  /** Whether it may be used at this API too. */
  here?: boolean;
  /** Names of the scopes that the client asked for and cannot have. */
  unavailableScopes?: readonly string[];
  /** The client may stay connected while the person is away. */
  offline: boolean;
}): string {
  const { client, person, elsewhere = [] } = model;
  const csrf = html`<input type="hidden" name="csrf" value="${model.csrf}">`;
  const shown = [...new Set(model.scopes)]
    .filter((scope) => scope !== "offline_access")
    .sort((a, b) => Number(isPrivilegedScope(b)) - Number(isPrivilegedScope(a)));
  const changes = shown.filter(canChange);
  const sees = shown.filter((scope) => scope !== "openid" && !changes.includes(scope));
  const unavailable = [...new Set(model.unavailableScopes)];
  return layout(
    { title: `Allow ${client.name}`, operator: model.operator },
    html`<h1${client.name.length > LONG_NAME && html` class="long"`}>Allow <bdi>${client.name}</bdi> access to your account?</h1>
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
${
  shown.includes("admin") &&
  html`<div class="note danger">${WARNING}<div><strong>This makes <bdi>${client.name}</bdi> an administrator.</strong> It can do whatever you can: read and change everybody's accounts, posts, clients and settings. Allow only if you need it for administration.</div></div>`
}
<div class="identity">
${letterTile(person.name, "round")}
<div><p><strong><bdi>${person.name}</bdi></strong></p><p class="small muted"><bdi>${person.email}</bdi></p></div>
<form method="post" action="${model.switchAction}">${csrf}<button class="quiet-button" type="submit">Not you?</button></form>
</div>
<div class="rows">
${shown.includes("openid") && row("Account", [sentenceOf("openid")])}
${sees.length > 0 && row("See", sees.map(underHeading(/^(?:See|Read) /)))}
${changes.length > 0 && row("Change", changes.map(underHeading(/^Change /)))}
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
  html`<div class="small muted"><p>It also asked for access that it will not get:</p>
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

/** Names longer than this stand in a smaller heading. */
const LONG_NAME = 30;

/** More lines than these are folded. */
const MOST_LINES = 5;

function row(heading: string, lines: readonly (string | Html)[]): Html {
  const list = (part: typeof lines) => html`<ul role="list">${part.map((line) => html`<li>${line}</li>`)}</ul>`;
  const rest = lines.slice(MOST_LINES);
  return html`<section><h2>${heading}</h2><div>${list(lines.slice(0, MOST_LINES))}${
    rest.length > 0 && html`<details><summary>${rest.length} more</summary>${list(rest)}</details>`
  }</div></section>`;
}

/** The sentence without the verb that its heading says already: "See your name" is "Your name" under "See". */
function underHeading(verb: RegExp) {
  return (scope: string): string | Html => {
    const words = sentence(scope);
    if (typeof words !== "string") return words;
    const rest = words.replace(verb, "");
    return rest.charAt(0).toUpperCase() + rest.slice(1);
  };
}

function sentence(scope: string): string | Html {
  return isScope(scope) ? sentenceOf(scope) : html`Use the scope <code>${scope}</code>`;
}

import { canChange, isScope, sentenceOf } from "../../domain/scopes.ts";
import { hiddenField } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { letterTile } from "./layout/marks.ts";

/** The values that every consent page shows and posts. */
export interface ConsentModel {
  readonly operator: string;
  readonly action: string;
  readonly csrf: string;
  /** Hash of the question. It comes back with the answer: an answer to another question does not count. */
  readonly question: string;
  readonly client: AskingClient;
  readonly person: { readonly name: string; readonly email: string };
  readonly switchAction: string;
  /** Other APIs where it may be used, by their addresses. */
  readonly elsewhere?: readonly string[];
  /** Whether it may be used at this API too. */
  readonly here?: boolean;
  /** Names of the scopes that the client asked for and cannot have. */
  readonly unavailableScopes?: readonly string[];
  /** The client may stay connected while the person is away. */
  readonly offline: boolean;
}

interface AskingClient {
  readonly name: string;
  /** Host and port that get the answer, or a private-use scheme; null for another device. */
  readonly redirectHost: string | null;
  /** The redirect goes to a loopback address. */
  readonly loopback: boolean;
  /** Someone at the operator registered the client; false for self-registered ones. */
  readonly checked: boolean;
  /** Name of the person who registered it; null for every other client. */
  readonly owner?: string | null;
}

/** A sentence that says that the operator has not checked the client, and names its owner if it has one. */
export function uncheckedSentence({ owner }: AskingClient, operator: string): Html {
  return owner == null
    ? html`Not checked by <bdi>${operator}</bdi>.`
    : html`Made by <bdi>${owner}</bdi>, not checked by <bdi>${operator}</bdi>.`;
}

/** The client that asks, and where its answer goes. */
export function askingClient({ name, redirectHost, loopback }: AskingClient): Html {
  return html`<div class="identity">
${letterTile(name, "square")}
<div>
<p class="title client-name"><bdi>${name}</bdi></p>
<p class="small muted">${
    redirectHost === null
      ? "On another device, whose code you have entered"
      : loopback
        ? html`An app on this device (<bdi>${redirectHost}</bdi>)`
        : html`Returns to <bdi>${redirectHost}</bdi>`
  }</p>
</div>
</div>`;
}

/** The person who is asked. "Not you?" posts `csrf` to `switchAction`. */
export function askedPerson({ person, switchAction, csrf }: ConsentModel): Html {
  return html`<div class="identity">
${letterTile(person.name, "round")}
<div><p><strong><bdi>${person.name}</bdi></strong></p><p class="small muted"><bdi>${person.email}</bdi></p></div>
<form method="post" action="${switchAction}">${hiddenField("csrf", csrf)}<button class="quiet-button" type="submit">Not you?</button></form>
</div>`;
}

/** At which APIs, and for how long. */
export function placeAndTime({ elsewhere = [], here, offline }: ConsentModel): Html {
  return html`${
    elsewhere.length > 0 &&
    row(
      here === false ? "Only at" : "Also at",
      elsewhere.map((address) => html`<bdi>${address}</bdi>`),
    )
  }
${row("How long", [offline ? sentenceOf("offline_access") : "A short time, then it has to ask again"])}`;
}

export function unavailableNote({ unavailableScopes }: ConsentModel): Html {
  const unavailable = [...new Set(unavailableScopes)];
  return html`${
    unavailable.length > 0 &&
    html`<div class="small muted"><p>It also asked for access that it will not get:</p>
<ul role="list" class="dashes">${unavailable.map((scope) => html`<li>${scopeSentence(scope)}</li>`)}</ul></div>`
  }`;
}

/** @param choices what the person may choose before they answer */
export function decisionForm({ action, csrf, question }: ConsentModel, choices?: Html): Html {
  return html`<form method="post" action="${action}">${hiddenField("csrf", csrf)}${hiddenField("question", question)}
${choices}
<div class="pair">
<button type="submit" name="decision" value="approve">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</div>
</form>`;
}

/** A client's name in the heading. */
export function longName(name: string): Html {
  return html`${name.length > LONG_NAME && html` class="long"`}`;
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

/** Two rows of scopes: those to see something, and those to change something. */
export function scopeRows(scopes: readonly string[]): Html {
  const changes = scopes.filter(canChange);
  const sees = scopes.filter((scope) => scope !== "openid" && !changes.includes(scope));
  return html`${scopes.includes("openid") && row("Account", [sentenceOf("openid")])}
${sees.length > 0 && row("See", sees.map(underHeading(/^(?:See|Read) /)))}
${changes.length > 0 && row("Change", changes.map(underHeading(/^Change /)))}`;
}

/** The sentence without the verb that its heading says already: "See your name" is "Your name" under "See". */
function underHeading(verb: RegExp) {
  return (scope: string): string | Html => {
    const words = scopeSentence(scope);
    if (typeof words !== "string") return words;
    const rest = words.replace(verb, "");
    return rest.charAt(0).toUpperCase() + rest.slice(1);
  };
}

export function scopeSentence(scope: string): string | Html {
  return isScope(scope) ? sentenceOf(scope) : html`Use the scope <code>${scope}</code>`;
}

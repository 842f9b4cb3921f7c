import { isScope, sentenceOf } from "../../domain/scopes.ts";
import { nameBrowser } from "./browser-name.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { letterTile, TICK, WARNING } from "./layout/marks.ts";
import type { Times } from "./times.ts";

const NOTES = {
  session: "The session has ended, and with it all that clients were given in it.",
  client: "The client has no access any more. It has to ask you again.",
  password: "Your password has changed. Every other browser is signed out, and every client has to reconnect.",
  name: "Your name has changed.",
  stale: "The page was out of date. Nothing was changed. This is the current state.",
} as const;

/** The name of a note that says what the last form has done. */
export type AccountNote = keyof typeof NOTES;

export function isAccountNote(name: unknown): name is AccountNote {
  return typeof name === "string" && Object.hasOwn(NOTES, name);
}

/** A client that may act for the person. */
export interface ActingClient {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Other APIs where it may use them, by their addresses. */
  readonly elsewhere: readonly string[];
  /** Unix time. */
  readonly sinceSeconds: number;
}

/** Page on which a person sees and ends their sessions and the access of clients. Each form posts `csrf` to a step below `root`. */
export function accountPage(model: {
  operator: string;
  /** The path of this page. */
  root: string;
  csrf: string;
  person: { name: string; email: string };
  sessions: readonly {
    id: string;
    isCurrent: boolean;
    signedInAtSeconds: number;
    seen: { agent: string; address: string; atSeconds: number } | null;
  }[];
  /** Clients that the person has allowed. */
  clients: readonly ActingClient[];
  /** Clients to which the operator has given access in the person's name. */
  given: readonly ActingClient[];
  /** As this person writes times. */
  times: Times;
  note: AccountNote | null;
}): string {
  const { operator, root, person, sessions, clients, given, times } = model;
  const csrf = html`<input type="hidden" name="csrf" value="${model.csrf}">`;
  const step = (name: string, label: string, about: string, hidden: Html | null = null) =>
    html`<form method="post" action="${root}/${name}">${csrf}${hidden}<button type="submit" aria-label="${`${label}: ${about}`}">${label}</button></form>`;
  const list = (entries: readonly ActingClient[]) => html`<ul role="list" class="entries">
${entries.map(
  (client) => html`<li class="entry">
${letterTile(client.name, "square")}
<div><p><strong><bdi>${client.name}</bdi></strong></p>
<ul role="list" class="dashes small">${client.scopes.map((scope) => html`<li>${sentence(scope)}</li>`)}</ul>
${client.elsewhere.length > 0 && html`<p class="small muted">Used at ${client.elsewhere.map((address, index) => html`${index > 0 && ", "}<bdi>${address}</bdi>`)}</p>`}
<p class="small muted">Since ${times.element(client.sinceSeconds)}</p></div>
<div class="entry-actions">${step("end-client", "End access", client.name, html`<input type="hidden" name="client" value="${client.clientId}">`)}</div>
</li>`,
)}
</ul>`;
  return layout(
    { title: "Your account", operator, width: "wide" },
    html`<h1>Your account</h1>
${model.note !== null && html`<div class="note${model.note === "stale" && " danger"}" role="status">${model.note === "stale" && WARNING}<div>${NOTES[model.note]}</div></div>`}
<div class="entry">
${letterTile(person.name, "round")}
<div><p><strong><bdi>${person.name}</bdi></strong></p><p class="small muted"><bdi>${person.email}</bdi></p></div>
<div class="entry-actions"><a class="button" href="${root}/name">Change name</a> <a class="button" href="${root}/password">Change password</a>
<form method="post" action="${root}/sign-out">${csrf}<button type="submit">Sign out</button></form></div>
</div>
<section>
<h2>Where you are signed in</h2>
<ul role="list" class="entries">
${sessions.map((session) => {
  const name = nameBrowser(session.seen?.agent ?? "");
  const about = `${name}, signed in ${times.text(session.signedInAtSeconds)}`;
  return html`<li class="entry">
<div><p><strong>${name}</strong>${session.isCurrent && html` <span class="tag">This browser</span>`}</p>
<p class="small muted">${session.seen !== null && html`Last used ${times.element(session.seen.atSeconds)} from <bdi>${session.seen.address}</bdi>. `}Signed in ${times.element(session.signedInAtSeconds)}.</p></div>
<div class="entry-actions">${!session.isCurrent && step("end-session", "End session", about, html`<input type="hidden" name="session" value="${session.id}">`)}</div>
</li>`;
})}
</ul>
</section>
<section>
<h2>Clients you have allowed</h2>
${
  clients.length === 0
    ? html`<p class="muted">None. A client that you allow something stands here until you end its access.</p>`
    : list(clients)
}
</section>
${
  given.length > 0 &&
  html`<section>
<h2>Access that <bdi>${operator}</bdi> has given</h2>
<p>An operator of this service made access tokens in your name for these clients. You were not asked.</p>
${list(given)}
</section>`
}
<section>
<h2>Sign out everywhere</h2>
<p>Ends every session, this one too, and the access of every client. Each client must ask you again.</p>
<form class="last" method="post" action="${root}/sign-out-everywhere">${csrf}<button class="danger" type="submit">Sign out everywhere</button></form>
</section>`,
  );
}

export function signedOutEverywherePage(model: { operator: string; signInHref: string }): string {
  return layout(
    { title: "Signed out everywhere", operator: model.operator },
    html`${TICK}
<div class="stack">
<h1>You are signed out everywhere</h1>
<p class="muted">Every session of yours at <bdi>${model.operator}</bdi> has ended, and no client has access any more. If somebody else may know your password, sign in and change it.</p>
</div>
<p><a class="button full" href="${model.signInHref}">Sign in</a></p>`,
  );
}

function sentence(scope: string): string | Html {
  return isScope(scope) ? sentenceOf(scope) : html`Use the scope <code>${scope}</code>`;
}

import { type AgentLevel, titleOfLevel } from "../../domain/agent-level.ts";
import { nameBrowser } from "./browser-name.ts";
import { scopeSentence } from "./consent-parts.ts";
import { type Html, html } from "./layout/html.ts";
import { letterTile } from "./layout/marks.ts";
import type { Times } from "./times.ts";

/** A client that may act for the person. */
export interface ActingClient {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Other APIs where it may use them, by their addresses. */
  readonly elsewhere: readonly string[];
  /** Unix time. */
  readonly sinceSeconds: number;
  /** Its level as an agent; null for any other client. */
  readonly agent: AgentLevel | null;
}

export interface ShownPerson {
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly hasPassword: boolean;
  /** Unix time of the last change of the password; null when it is not known. */
  readonly passwordSinceSeconds: number | null;
  /** Their names; null where there are no passkeys. */
  readonly passkeys: readonly string[] | null;
  /** Links to other services; null where there are neither links nor services. */
  readonly links: readonly { readonly name: string; readonly email: string | null }[] | null;
}

export interface ShownSession {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly signedInAtSeconds: number;
  readonly seen: { readonly agent: string; readonly address: string; readonly atSeconds: number } | null;
}

/** The parts that every section of the account page needs. */
export interface SectionTools {
  /** The path of the account page. */
  readonly root: string;
  readonly csrf: string;
  /** As this person writes times. */
  readonly times: Times;
}

/** A form of one button, which posts `csrf` to the step of that name. */
export function stepForm(
  { root, csrf }: Pick<SectionTools, "root" | "csrf">,
  name: string,
  label: string,
  { about, hidden = null }: { about?: string; hidden?: Html | null } = {},
): Html {
  return html`<form method="post" action="${root}/${name}"><input type="hidden" name="csrf" value="${csrf}">${hidden}<button type="submit"${about !== undefined && html` aria-label="${`${label}: ${about}`}"`}>${label}</button></form>`;
}

export function profileSection({ root }: SectionTools, { name, email, emailVerified }: ShownPerson): Html {
  return html`<section>
<h2>Profile</h2>
<ul role="list" class="entries">
<li class="entry"><div><p class="small muted">Name</p><p><strong><bdi>${name}</bdi></strong></p></div>
<div class="entry-actions"><a class="button" href="${root}/name">Change name</a></div></li>
<li class="entry"><div><p class="small muted">E-mail address</p><p><strong><bdi>${email}</bdi></strong> <span class="tag">${emailVerified ? "Confirmed" : "Not confirmed"}</span></p></div>
<div class="entry-actions"><a class="button" href="${root}/email">Change address</a></div></li>
</ul>
</section>`;
}

export function waysSection({ root, times }: SectionTools, person: ShownPerson): Html {
  const { hasPassword, passwordSinceSeconds: since, passkeys, links } = person;
  return html`<section>
<h2>Ways to sign in</h2>
<ul role="list" class="entries">
<li class="entry"><div><p><strong>Password</strong></p><p class="small muted">${hasPassword ? (since === null ? "Set" : html`Changed ${times.element(since)}`) : "Not set"}</p></div>
<div class="entry-actions"><a class="button" href="${root}/password">${hasPassword ? "Change password" : "Set a password"}</a></div></li>
${
  passkeys !== null &&
  html`<li class="entry"><div><p><strong>Passkeys</strong></p><p class="small muted">${passkeys.length === 0 ? "None yet. Sign in by fingerprint, face or the PIN of your device." : passkeys.map((name, index) => html`${index > 0 && ", "}<bdi>${name}</bdi>`)}</p></div>
<div class="entry-actions"><a class="button" href="${root}/passkeys">${passkeys.length === 0 ? "Add a passkey" : "Manage passkeys"}</a></div></li>`
}
${
  links !== null &&
  html`<li class="entry"><div><p><strong>Linked services</strong></p><p class="small muted">${links.length === 0 ? "None yet." : links.map(({ name, email }, index) => html`${index > 0 && ", "}<bdi>${name}</bdi>${email !== null && html` (<bdi>${email}</bdi>)`}`)}</p></div>
<div class="entry-actions"><a class="button" href="${root}/links">${links.length === 0 ? "Link a service" : "Manage links"}</a></div></li>`
}
</ul>
</section>`;
}

export function sessionsSection(tools: SectionTools, sessions: readonly ShownSession[]): Html {
  const { times } = tools;
  return html`<section>
<h2>Where you are signed in</h2>
<ul role="list" class="entries">
${sessions.map((session) => {
  const name = nameBrowser(session.seen?.agent);
  const about = `${name}, signed in ${times.text(session.signedInAtSeconds)}`;
  const hidden = html`<input type="hidden" name="session" value="${session.id}">`;
  return html`<li class="entry">
<div><p><strong>${name}</strong>${session.isCurrent && html` <span class="tag">This browser</span>`}</p>
<p class="small muted">${session.seen !== null && html`Last used ${times.element(session.seen.atSeconds)} from <bdi>${session.seen.address}</bdi>. `}Signed in ${times.element(session.signedInAtSeconds)}.</p></div>
<div class="entry-actions">${!session.isCurrent && stepForm(tools, "end-session", "End session", { about, hidden })}</div>
</li>`;
})}
</ul>
<p class="last">Signing out everywhere ends every session, this one too, and the access of every app. Each app must ask you again.</p>
<form class="last" method="post" action="${tools.root}/sign-out-everywhere"><input type="hidden" name="csrf" value="${tools.csrf}"><button class="danger" type="submit">Sign out everywhere</button></form>
</section>`;
}

export function appsSections(
  tools: SectionTools,
  operator: string,
  { clients, given }: { readonly clients: readonly ActingClient[]; readonly given: readonly ActingClient[] },
): Html {
  return html`<section>
<h2>Apps that you have allowed</h2>
${
  clients.length === 0
    ? html`<p class="muted">None. An app that you allow something stands here until you end its access.</p>`
    : appList(tools, clients)
}
</section>
${
  given.length > 0 &&
  html`<section>
<h2>Access that <bdi>${operator}</bdi> has given</h2>
<p>An operator of this service made access tokens in your name for these apps. You were not asked.</p>
${appList(tools, given)}
</section>`
}`;
}

function appList(tools: SectionTools, entries: readonly ActingClient[]): Html {
  return html`<ul role="list" class="entries">
${entries.map((client) => {
  const hidden = html`<input type="hidden" name="client" value="${client.clientId}">`;
  return html`<li class="entry">
${letterTile(client.name, "square")}
<div><p><strong><bdi>${client.name}</bdi></strong>${client.agent !== null && html` <span class="tag">Agent: ${titleOfLevel(client.agent).toLowerCase()}</span>`}</p>
<ul role="list" class="dashes small">${client.scopes.map((scope) => html`<li>${scopeSentence(scope)}</li>`)}</ul>
${client.elsewhere.length > 0 && html`<p class="small muted">Used at ${client.elsewhere.map((address, index) => html`${index > 0 && ", "}<bdi>${address}</bdi>`)}</p>`}
<p class="small muted">Since ${tools.times.element(client.sinceSeconds)}</p></div>
<div class="entry-actions">${stepForm(tools, "end-client", "End access", { about: client.name, hidden })}</div>
</li>`;
})}
</ul>`;
}

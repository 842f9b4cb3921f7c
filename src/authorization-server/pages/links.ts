import { stepForm } from "./account-sections.ts";
import { hiddenField } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";
import type { Times } from "./times.ts";
import { type ShownUpstream, upstreamButtons } from "./upstream.ts";

export interface ShownLink {
  readonly provider: string;
  readonly subject: string;
  /** The service, or its id where it is not in use any more. */
  readonly name: string;
  /** The address that the service named at the time; null for none. */
  readonly email: string | null;
  readonly linkedAtSeconds: number;
  /** null: never since. */
  readonly usedAtSeconds: number | null;
  /** Whether people can still sign in there. */
  readonly isUsable: boolean;
}

const NOTES = {
  linked: "The service is linked. You can sign in with it from now on.",
  known: "This sign-in was linked to your account already.",
  removed: "The link is removed, and the sessions that began with it have ended.",
} as const;

export type LinkNote = keyof typeof NOTES;

export function isLinkNote(name: unknown): name is LinkNote {
  return typeof name === "string" && Object.hasOwn(NOTES, name);
}

/** Links of a person to other services. Posts `provider` and `csrf` to `root`, or also `subject` to the step `remove` below it. */
export function linksPage(model: {
  operator: string;
  /** The path of this page. */
  root: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  links: readonly ShownLink[];
  /** Services that can be linked. */
  upstreams: readonly ShownUpstream[];
  /** Says why nothing can be linked; null where something can. */
  notYet: string | Html | null;
  times: Times;
  note: LinkNote | null;
  error: string | null;
}): string {
  const { root, csrf, links, upstreams, notYet, note, error } = model;
  return layout(
    { title: "Linked services", operator: model.operator },
    html`<div class="stack">
<h1>Linked services</h1>
<p class="muted">Sign in here with an account at another service. Anybody who can sign in there as you can sign in here too.</p>
</div>
${note !== null && html`<div class="note" role="status"><div>${NOTES[note]}</div></div>`}
${error !== null && html`<div class="note danger" role="alert">${WARNING}<div>${error}</div></div>`}
<section>
${
  links.length === 0
    ? html`<p>No service is linked yet.</p>`
    : html`<ul role="list" class="entries">
${links.map((link) => entry(model, link))}
</ul>`
}
</section>
<div>
${
  notYet !== null
    ? html`<p>${notYet}</p>`
    : upstreams.length > 0 &&
      html`<form method="post" action="${root}">
${hiddenField("csrf", csrf)}${upstreamButtons(upstreams, "Link")}
</form>`
}
<p class="cancel"><a class="button quiet-button full" href="${model.back}">Back to your account</a></p>
</div>`,
  );
}

function entry(model: { root: string; csrf: string; times: Times }, link: ShownLink): Html {
  const { name, email, linkedAtSeconds, usedAtSeconds, isUsable } = link;
  const { times } = model;
  const hidden = html`${hiddenField("provider", link.provider)}${hiddenField("subject", link.subject)}`;
  const about = email === null ? name : `${name}, ${email}`;
  return html`<li class="entry">
<div><p><strong><bdi>${name}</bdi></strong>${email !== null && html` <bdi>${email}</bdi>`}</p>
<p class="small muted">Linked ${times.element(linkedAtSeconds)}. ${
    isUsable
      ? usedAtSeconds === null
        ? "Not used since."
        : html`Last used ${times.element(usedAtSeconds)}.`
      : "Nobody signs in there any more."
  }</p></div>
<div class="entry-actions">${stepForm(model, "remove", "Remove", { about, hidden })}</div>
</li>`;
}

import { fieldForm, hiddenField } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { nameField } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";

/** A service at which people sign in. */
export interface ShownUpstream {
  readonly id: string;
  readonly name: string;
}

/** A button for each service, in a form that posts `provider`. */
export function upstreamButtons(upstreams: readonly ShownUpstream[], verb: "Continue with" | "Link"): Html {
  return html`${upstreams.map(
    ({ id, name }) =>
      html`<div class="field"><button class="full" type="submit" name="provider" value="${id}"><span>${verb} <bdi>${name}</bdi></span></button></div>`,
  )}`;
}

/** The way to another service. A form post that ends there would be held up: see `pageHeaders`. The browser goes on by itself. */
export function leavePage(model: { operator: string; upstreamName: string; href: string }): string {
  return layout(
    { title: `On to ${model.upstreamName}`, operator: model.operator },
    html`<div class="stack">
<h1>On to <bdi>${model.upstreamName}</bdi></h1>
<p class="muted">You sign in there, and come back here.</p>
</div>
<p><a class="button primary full" href="${model.href}"><span>Continue to <bdi>${model.upstreamName}</bdi></span></a></p>`,
  );
}

/** For somebody whom another service knows, and nobody here is linked with. Posts to the steps `link` and `create` below `action`. */
export function unknownIdentityPage(model: {
  operator: string;
  upstreamName: string;
  /** Address or name of the person at the service; null for neither. */
  knownAs: string | null;
  action: string;
  csrf: string;
  /** The name of the page that follows; null for the usual one. */
  page: string | null;
  /** `account`: with the name that stands in the form. `mail`: once the person has read a mail. null: no account can be created. */
  create: "account" | "mail" | null;
  name: string;
  errors: Partial<Record<"name" | "form", string>>;
  /** Posts `csrf` there, to go back to the client unsigned. */
  cancel?: { action: string };
}): string {
  const { upstreamName, knownAs, action, csrf, page, create, name, errors } = model;
  const hidden = page === null ? html`` : hiddenField("for", page);
  return layout(
    { title: "Which account is yours?", operator: model.operator },
    html`<div class="stack">
<h1>Which account is yours?</h1>
<p><bdi>${upstreamName}</bdi> knows you${knownAs !== null && html` as <strong><bdi>${knownAs}</bdi></strong>`}. No account at <bdi>${model.operator}</bdi> is linked with that yet.</p>
</div>
<div>
<form method="post" action="${action}/link">
${hiddenField("csrf", csrf)}${hidden}
<button class="full${create === null && " primary"}" type="submit">I have an account: sign in, then link</button>
</form>
${
  create === "mail" &&
  html`<form method="post" action="${action}/create">
${hiddenField("csrf", csrf)}${hidden}
<div class="field"><button class="full" type="submit">Create an account</button></div>
</form>`
}
</div>
${
  create === "account" &&
  html`<section class="parts">
<h2>New here?</h2>
${fieldForm({
  ...{ action: `${action}/create`, csrf, hidden, errors },
  fields: [nameField(name, "Other people see it beside what you write.")],
  kept: "No account was created.",
  submit: "Create an account",
})}
</section>`
}
${
  create !== "account" &&
  errors.form !== undefined &&
  html`<div class="note danger" role="alert">${WARNING}<div>${errors.form}</div></div>`
}
${
  model.cancel !== undefined &&
  html`<form class="cancel" method="post" action="${model.cancel.action}">
${hiddenField("csrf", csrf)}<button class="quiet-button full" type="submit">Cancel</button>
</form>`
}`,
  );
}

/** For a person who has signed in to link an identity. Posts `answer` (`link` or `not-now`), `interaction` and `csrf` to `action`. */
export function linkQuestionPage(model: {
  operator: string;
  upstreamName: string;
  knownAs: string | null;
  /** The account here. */
  email: string;
  action: string;
  csrf: string;
  /** The sign-in for a client that goes on afterwards; empty for none. */
  interaction: string;
  error: string | null;
}): string {
  const { upstreamName, knownAs, error } = model;
  return layout(
    { title: `Link ${upstreamName}?`, operator: model.operator },
    html`<div class="stack">
<h1>Link <bdi>${upstreamName}</bdi>${knownAs !== null && html` (<bdi>${knownAs}</bdi>)`} to your account?</h1>
<p>You are signed in as <strong><bdi>${model.email}</bdi></strong>. From then on, a sign-in at <bdi>${upstreamName}</bdi>${knownAs !== null && html` as <bdi>${knownAs}</bdi>`} also signs in to this account.</p>
</div>
${error !== null && html`<div class="note danger" role="alert">${WARNING}<div>${error}</div></div>`}
<form method="post" action="${model.action}">
${hiddenField("csrf", model.csrf)}${model.interaction !== "" && hiddenField("interaction", model.interaction)}
<div class="pair">
<button type="submit" name="answer" value="not-now">Not now</button>
<button class="primary" type="submit" name="answer" value="link">Link</button>
</div>
</form>`,
  );
}

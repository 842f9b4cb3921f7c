import { donePage } from "./layout/done.ts";
import { fieldForm } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { ADDRESS_INPUT } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";
import type { Times } from "./times.ts";

/** Posts `email`, `posts` (keep or delete) and `csrf` to `action`. */
export function deletionPage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  /** The address that the person types to confirm. */
  email: string;
  /** The last choice of the person: `keep`, `delete` or empty. */
  posts: string;
  /** Seconds until the account is deleted. */
  delay: number;
  errors: Partial<Record<"email" | "posts" | "form", string>>;
}): string {
  const { errors, posts } = model;
  const choice = (value: string, label: string) =>
    html`<div class="choice"><input id="posts-${value}" type="radio" name="posts" value="${value}" required${posts === value && html` checked`}${errors.posts !== undefined && html` aria-describedby="posts-error"`}><label for="posts-${value}">${label}</label></div>`;
  return layout(
    { title: "Delete account", operator: model.operator },
    html`<div class="stack">
<h1>Delete your account</h1>
<p>In ${spanOf(model.delay)}, your account is deleted with your name, your e-mail address and everything else about you. Until then, sign in to keep it.</p>
<p class="muted">The button also signs you out everywhere, and ends the access of every app.</p>
</div>
${fieldForm({
  ...model,
  above: html`<fieldset class="field">
<legend>Your posts</legend>
${choice("keep", "Keep them. They show “Former member” in place of your name.")}
${choice("delete", "Delete them, drafts too.")}
${errors.posts !== undefined && html`<p class="field-error" id="posts-error">${errors.posts}</p>`}
</fieldset>`,
  fields: [
    {
      name: "email",
      label: "Your e-mail address",
      attributes: html`${ADDRESS_INPUT} autocomplete="off" maxlength="254"`,
      hint: html`To confirm, type <bdi>${model.email}</bdi>.`,
    },
  ],
  kept: "Your account was not changed.",
  submit: "Delete my account",
})}`,
  );
}

export function deletionAskedPage(model: {
  operator: string;
  signInHref: string;
  /** Unix time. */
  deletesAtSeconds: number;
  times: Times;
}): string {
  return donePage({
    operator: model.operator,
    title: "Account to be deleted",
    heading: "Your account will be deleted",
    text: html`<p>It is deleted on ${model.times.element(model.deletesAtSeconds)}. You are signed out everywhere. To keep it, sign in before then.</p>`,
    next: { label: "Sign in", href: model.signInHref },
  });
}

/** For a person who has entered the right password of an account that will be deleted. Posts `proof` and `csrf` to `action`. */
export function keepAccountPage(model: {
  operator: string;
  action: string;
  csrf: string;
  /** Says that the password was right. */
  proof: string;
  /** The name of the page that follows; null for the account page. */
  page?: string | null;
  /** Unix time. */
  deletesAtSeconds: number;
  times: Times;
  /** Posts `csrf` there, to go back to the client unsigned. */
  cancel?: { action: string };
}): string {
  const csrf = html`<input type="hidden" name="csrf" value="${model.csrf}">`;
  return layout(
    { title: "Keep your account?", operator: model.operator },
    html`<div class="stack">
<h1>Your account will be deleted on ${model.times.element(model.deletesAtSeconds)}</h1>
<p>You can keep it until then. Everything is as before, but apps have to ask you again. If you want it to be deleted, there is nothing to do.</p>
</div>
<div>
<form method="post" action="${model.action}">
${csrf}<input type="hidden" name="proof" value="${model.proof}">${model.page != null && html`<input type="hidden" name="for" value="${model.page}">`}
<button class="primary full" type="submit">Keep my account</button>
</form>
${
  model.cancel !== undefined &&
  html`<form class="cancel" method="post" action="${model.cancel.action}">
${csrf}
<button class="quiet-button full" type="submit">Cancel</button>
</form>`
}
</div>`,
  );
}

/** "7 days", "36 hours". */
function spanOf(seconds: number): Html {
  const [size, unit] = SPANS.find(([size]) => seconds >= 2 * size || seconds === size) ?? [1, "second"];
  const count = Math.round(seconds / size);
  return html`${count} ${count === 1 ? unit : `${unit}s`}`;
}

const SPANS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
] as const;

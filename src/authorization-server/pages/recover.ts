import { fieldForm, PASSWORD_HINT } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { TICK } from "./layout/marks.ts";
import { type MailedFormModel, mailboxLink, mailedForm } from "./mailed-form.ts";

/** Asks for a mail with a link to a new password. Posts `email`, `interaction` and `csrf` to `action`. */
export function recoverPage(model: {
  operator: string;
  action: string;
  csrf: string;
  /** The sign-in that it began in; empty for none. */
  interaction: string;
  /** The address that the person typed last. */
  email: string;
  errors: Partial<Record<"email" | "form", string>>;
  signInHref: string;
}): string {
  return layout(
    { title: "Forgot the password?", operator: model.operator },
    html`<div class="stack">
<h1>Forgot the password?</h1>
<p class="muted">We send you a mail with a link. It leads to a page where you choose a new password.</p>
</div>
${mailedForm(model)}
<p class="small">You know it after all? <a href="${model.signInHref}">Sign in</a></p>`,
  );
}

/** In place of `recoverPage`, on a server that sends no mail. */
export function recoverWithoutMailPage(model: {
  operator: string;
  /** An e-mail address or an https URL. */
  supportContact: string | null;
  signInHref: string;
}): string {
  return layout(
    { title: "Forgot the password?", operator: model.operator },
    html`<div class="stack">
<h1>Forgot the password?</h1>
<p>This server sends no mail. Ask ${model.supportContact === null ? "an administrator" : contactLink(model.supportContact)}.</p>
</div>
<p><a class="button full" href="${model.signInHref}">Sign in</a></p>`,
  );
}

/** The page after `recoverPage`. It says the same whoever has the address. */
export function recoverSentPage(model: {
  operator: string;
  againHref: string;
  /** Where developers read the mails of this server; null anywhere else. */
  mailboxHref: string | null;
}): string {
  return layout(
    { title: "Check your mail", operator: model.operator },
    html`<div class="stack">
<h1>Check your mail</h1>
<p>If an account has this address, a mail is on its way. It is good for one hour.</p>
</div>
<p class="small muted">Nothing there? Look in the spam folder. You can <a href="${model.againHref}">ask again</a> in a minute.</p>
${mailboxLink(model.mailboxHref)}`,
  );
}

/** Posts `password`, `ticket` and `csrf` to `action`. */
export function recoverFinishPage(model: MailedFormModel): string {
  return layout(
    { title: "New password", operator: model.operator },
    html`<div class="stack">
<h1 class="long">New password for <bdi>${model.email}</bdi></h1>
<p class="muted">This link is good until ${model.goodUntil}. A new password signs out every browser, and every client has to reconnect.</p>
</div>
${fieldForm({
  ...model,
  hidden: html`<input type="hidden" name="ticket" value="${model.ticket}">`,
  fields: [
    {
      name: "email",
      label: "E-mail address",
      attributes: html`type="text" autocomplete="username" readonly value="${model.email}"`,
    },
    {
      name: "password",
      label: "New password",
      attributes: html`type="password" autocomplete="new-password" minlength="15"`,
      hint: PASSWORD_HINT,
    },
  ],
  kept: "Your password has not changed.",
  submit: "Change password",
})}`,
  );
}

export function recoverDonePage(model: { operator: string; signInHref: string }): string {
  return layout(
    { title: "Your password is changed", operator: model.operator },
    html`${TICK}
<div class="stack">
<h1>Your password is changed</h1>
<p class="muted">Every browser is signed out. Sign in with the new password.</p>
</div>
<p><a class="button full" href="${model.signInHref}">Sign in</a></p>`,
  );
}

function contactLink(contact: string): Html {
  const href = contact.startsWith("https:") ? contact : `mailto:${contact}`;
  return html`<a href="${href}"><bdi>${contact}</bdi></a>`;
}

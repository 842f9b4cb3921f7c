import { contactLink } from "./contact-link.ts";
import { donePage } from "./layout/done.ts";
import { fieldForm, hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { fixedAddressField, newPasswordField } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";
import { type MailedFormModel, type MailRequestModel, mailedForm, type SentModel, sentHelp } from "./mailed-form.ts";

/** Asks for a mail with a link to a new password. Posts `email`, `interaction` and `csrf` to `action`. */
export function recoverPage(model: MailRequestModel): string {
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
<p>This server sends no mail. Ask ${contactLink(model.supportContact)}.</p>
</div>
<p><a class="button full" href="${model.signInHref}">Sign in</a></p>`,
  );
}

/** The page after `recoverPage`. It says the same whoever has the address. */
export function recoverSentPage(model: SentModel): string {
  return layout(
    { title: "Check your mail", operator: model.operator },
    html`<div class="stack">
<h1>Check your mail</h1>
<p>If an account has this address, a mail is on its way. It is good for one hour.</p>
</div>
${sentHelp(model)}`,
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
  hidden: hiddenField("ticket", model.ticket),
  fields: [fixedAddressField(model.email), newPasswordField()],
  kept: "Your password has not changed.",
  submit: "Change password",
})}`,
  );
}

export function recoverDonePage(model: { operator: string; signInHref: string }): string {
  return donePage({
    operator: model.operator,
    title: "Your password is changed",
    text: html`<p>Every browser is signed out. Sign in with the new password.</p>
<p class="small muted">Passkeys and linked services still sign in to your account, and the second step is as before. Look at them after you have signed in, and remove what you do not know.</p>`,
    next: { label: "Sign in", href: model.signInHref },
  });
}

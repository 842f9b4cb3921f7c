import { fieldForm } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { TICK } from "./layout/marks.ts";
import { mailboxLink, mailedForm } from "./mailed-form.ts";
import { type NewAccountModel, newAccountForm } from "./new-account-form.ts";

/** Asks for a mail with a link to a new account. Posts `email`, `interaction` and `csrf` to `action`. */
export function signUpPage(model: {
  operator: string;
  action: string;
  csrf: string;
  /** Whether only people with an invitation get a mail. */
  byInvitation: boolean;
  /** The sign-in that it began in; empty for none. */
  interaction: string;
  /** The address that the person typed last. */
  email: string;
  errors: Partial<Record<"email" | "form", string>>;
  signInHref: string;
}): string {
  return layout(
    { title: "Create an account", operator: model.operator },
    html`<div class="stack">
<h1>Create an account</h1>
<p class="muted">${
      model.byInvitation
        ? "Accounts here are by invitation. Open the link in your invitation. If you have lost it, you get it once more at the address that was invited."
        : "First we send you a mail, to know that the address is yours. Then you choose a password."
    }</p>
</div>
${mailedForm(model)}
<p class="small">You have an account? <a href="${model.signInHref}">Sign in</a></p>`,
  );
}

/** The page after `signUpPage`. It says the same whoever has the address. Posts `code`, `about` and `csrf` to `action`. */
export function signUpSentPage(model: {
  operator: string;
  action: string;
  csrf: string;
  /** Seals what was asked for. */
  about: string;
  email: string;
  byInvitation: boolean;
  error?: string;
  againHref: string;
  /** Where developers read the mails of this server; null anywhere else. */
  mailboxHref: string | null;
}): string {
  const address = html`<strong><bdi>${model.email}</bdi></strong>`;
  return layout(
    { title: "Check your mail", operator: model.operator },
    html`<div class="stack">
<h1>Check your mail</h1>
${
  model.byInvitation
    ? html`<p>If ${address} is invited, the invitation is on its way once more. Open the link in it.</p>`
    : html`<p>We have sent a mail to ${address}. Open its link, or type the code from it here.</p>`
}
</div>
${
  !model.byInvitation &&
  fieldForm({
    ...model,
    hidden: html`<input type="hidden" name="about" value="${model.about}">`,
    fields: [
      {
        name: "code",
        label: "Code",
        attributes: html`type="text" autocomplete="one-time-code" autocapitalize="characters" autocorrect="off" spellcheck="false" maxlength="40"`,
        hint: "Eight letters, such as BCDF-GHJK.",
      },
    ],
    errors: { code: model.error },
    kept: "This code opens nothing.",
    submit: "Continue",
  })
}
<p class="small muted">Nothing there? Look in the spam folder. You can <a href="${model.againHref}">ask again</a> in a minute.</p>
${mailboxLink(model.mailboxHref)}`,
  );
}

/** The account of a proved address. */
export function signUpFinishPage(model: NewAccountModel): string {
  return layout(
    { title: "Finish your account", operator: model.operator },
    html`<div class="stack">
<h1>Finish your account</h1>
<p class="muted">This link is good until ${model.goodUntil}.</p>
</div>
${newAccountForm(model)}`,
  );
}

/** The account was made in another browser than the one that had asked. */
export function signUpDonePage(model: { operator: string; signInHref: string }): string {
  return layout(
    { title: "Your account is ready", operator: model.operator },
    html`${TICK}
<div class="stack">
<h1>Your account is ready</h1>
<p class="muted">Go back to the window where you began, or sign in here.</p>
</div>
<p><a class="button full" href="${model.signInHref}">Sign in</a></p>`,
  );
}

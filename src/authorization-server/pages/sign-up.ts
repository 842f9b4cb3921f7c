import { donePage } from "./layout/done.ts";
import { fieldForm, hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { CODE_FIELD } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";
import { type MailRequestModel, mailedForm, type SentModel, sentHelp } from "./mailed-form.ts";
import { type NewAccountModel, newAccountForm } from "./new-account-form.ts";

/** Asks for a mail with a link to a new account. Posts `email`, `interaction` and `csrf` to `action`. */
export function signUpPage(
  model: MailRequestModel & {
    /** Whether only people with an invitation get a mail. */
    readonly byInvitation: boolean;
  },
): string {
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
export function signUpSentPage(
  model: SentModel & {
    readonly action: string;
    readonly csrf: string;
    /** Seals the request for the mail. */
    readonly about: string;
    readonly email: string;
    readonly byInvitation: boolean;
    /** Says why a code was refused. */
    readonly error?: string;
  },
): string {
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
    hidden: hiddenField("about", model.about),
    fields: [CODE_FIELD],
    errors: { code: model.error },
    kept: "No account was created yet.",
    submit: "Continue",
  })
}
${sentHelp(model)}`,
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
  return donePage({
    operator: model.operator,
    title: "Your account is ready",
    text: html`<p class="muted">Go back to the window where you began, or sign in here.</p>`,
    next: { label: "Sign in", href: model.signInHref },
  });
}

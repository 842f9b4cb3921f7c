import { donePage } from "./layout/done.ts";
import { fieldForm, hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { ADDRESS_INPUT, CODE_FIELD } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";
import { mailboxLink } from "./mailed-form.ts";

/** Posts `email` and `csrf` to `action`. */
export function emailPage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  /** The present address. */
  present: string;
  /** The address that the person typed last. */
  email: string;
  errors: Partial<Record<"email", string>>;
}): string {
  return layout(
    { title: "Change e-mail address", operator: model.operator },
    html`<div class="stack">
<h1>Change your address</h1>
<p class="muted">Your address is <strong><bdi>${model.present}</bdi></strong>. It stays until you have opened the mail that we send to the new one.</p>
</div>
${fieldForm({
  ...model,
  fields: [
    {
      name: "email",
      label: "New e-mail address",
      attributes: html`${ADDRESS_INPUT} autocomplete="email" maxlength="254" value="${model.email}"`,
    },
  ],
  kept: "Your address has not changed.",
  submit: "Send the mail",
})}`,
  );
}

/** Says the same whether or not the address can be used (R14). Posts `code` and `csrf` to `action`. */
export function emailSentPage(model: {
  operator: string;
  action: string;
  back: string;
  csrf: string;
  /** The address that was mailed. */
  email: string;
  /** The page with the mails of a server for developers; null anywhere else. */
  mailboxHref: string | null;
  errors: Partial<Record<"code", string>>;
}): string {
  return layout(
    { title: "Mail sent", operator: model.operator },
    html`<div class="stack">
<h1>Read your mail</h1>
<p>A mail to <strong><bdi>${model.email}</bdi></strong> is on its way. Open its link in this browser, or type the code from it here. Both are good for 24 hours.</p>
<p class="small muted">Nothing there? Look in the spam folder. There is no mail for an address that another account has, and only a few an hour for any address.</p>
${mailboxLink(model.mailboxHref)}
</div>
${fieldForm({
  ...model,
  fields: [CODE_FIELD],
  kept: "Your address has not changed.",
  submit: "Use this address",
})}`,
  );
}

/** Asks the person who is signed in. Posts `ticket` and `csrf` to `action`. */
export function emailFinishPage(model: {
  operator: string;
  action: string;
  back: string;
  csrf: string;
  /** Seals which link it was. */
  ticket: string;
  /** The address that the link is for. */
  email: string;
  /** The present address. */
  present: string;
}): string {
  const isSame = model.email === model.present;
  return layout(
    { title: "Use this address", operator: model.operator },
    html`<div class="stack">
<h1>Use this address?</h1>
<p>${
      isSame
        ? html`This confirms that <strong><bdi>${model.email}</bdi></strong> is your address.`
        : html`Your account will use <strong><bdi>${model.email}</bdi></strong> in place of <bdi>${model.present}</bdi>. You will sign in with it.`
    }</p>
</div>
${fieldForm({
  ...model,
  hidden: hiddenField("ticket", model.ticket),
  fields: [],
  errors: {},
  kept: "",
  submit: "Use this address",
})}`,
  );
}

/** The page behind the link that went to the former address. Posts `email`, `ticket` and `csrf` to `action`. */
export function emailUndoPage(model: {
  operator: string;
  action: string;
  csrf: string;
  /** Seals which link it was. */
  ticket: string;
  errors: Partial<Record<"email", string>>;
}): string {
  return layout(
    { title: "Take the address back", operator: model.operator },
    html`<div class="stack">
<h1>Take the old address back and sign out everywhere?</h1>
<p class="muted">Do this if you did not change the address of your account. It removes the password, which somebody else may know. You choose a new one.</p>
</div>
${fieldForm({
  ...model,
  hidden: hiddenField("ticket", model.ticket),
  fields: [
    {
      name: "email",
      label: "The old e-mail address",
      attributes: html`${ADDRESS_INPUT} autocomplete="off" maxlength="254"`,
      hint: "Type the address at which you got the mail.",
    },
  ],
  kept: "Nothing was changed.",
  submit: "Take it back",
})}`,
  );
}

export function emailUndonePage(model: { operator: string; email: string; recoverHref: string }): string {
  return donePage({
    operator: model.operator,
    title: "Address taken back",
    heading: "You have your address back",
    text: html`<p>Your account uses <strong><bdi>${model.email}</bdi></strong> again, and everybody is signed out. A mail with a link is on its way there: choose a new password with it.</p>
<p class="small muted">Nothing there? Ask for another mail.</p>`,
    next: { label: "Forgot the password?", href: model.recoverHref },
  });
}

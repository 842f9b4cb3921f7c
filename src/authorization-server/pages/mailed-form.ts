import { fieldForm } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";

/** A form that a mailed link or its code has opened. */
export interface MailedFormModel {
  readonly operator: string;
  readonly action: string;
  readonly csrf: string;
  /** Seals which link it was. */
  readonly ticket: string;
  readonly email: string;
  readonly goodUntil: Html;
  readonly errors: Readonly<Record<string, string | undefined>>;
}

/** Form with one field for an e-mail address, to which a mail is sent. */
export function mailedForm(model: {
  readonly action: string;
  readonly csrf: string;
  /** The sign-in that it began in; empty for none. */
  readonly interaction: string;
  readonly email: string;
  readonly errors: Partial<Record<"email" | "form", string>>;
}): Html {
  return fieldForm({
    ...model,
    hidden: html`<input type="hidden" name="interaction" value="${model.interaction}">`,
    fields: [
      {
        name: "email",
        label: "E-mail address",
        attributes: html`type="text" inputmode="email" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false" value="${model.email}"`,
      },
    ],
    kept: "Nothing was sent.",
    submit: "Send the mail",
  });
}

/** @param href null where mails go out */
export function mailboxLink(href: string | null): Html | false {
  return (
    href !== null &&
    html`<p class="small">This is a server for development. Its mails are in <a href="${href}">the mailbox</a>.</p>`
  );
}

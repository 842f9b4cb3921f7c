import { fieldForm, hiddenField } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { ADDRESS_INPUT } from "./layout/known-fields.ts";

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

/** A page that asks for a mail. */
export interface MailRequestModel {
  readonly operator: string;
  readonly action: string;
  readonly csrf: string;
  /** The sign-in that it began in; empty for none. */
  readonly interaction: string;
  /** The address that the person typed last. */
  readonly email: string;
  readonly errors: Partial<Record<"email" | "form", string>>;
  readonly signInHref: string;
}

/** A page that says that a mail was sent. */
export interface SentModel {
  readonly operator: string;
  /** The form that asks for another mail. */
  readonly againHref: string;
  /** The page with the mails of a server for developers; null anywhere else. */
  readonly mailboxHref: string | null;
}

/** Form with one field for an e-mail address, to which a mail is sent. */
export function mailedForm(model: MailRequestModel): Html {
  return fieldForm({
    ...model,
    hidden: hiddenField("interaction", model.interaction),
    fields: [
      {
        name: "email",
        label: "E-mail address",
        attributes: html`${ADDRESS_INPUT} autocomplete="username" value="${model.email}"`,
      },
    ],
    kept: "Nothing was sent.",
    submit: "Send the mail",
  });
}

/** Ways on for a person whose mail does not arrive. */
export function sentHelp({ againHref, mailboxHref }: SentModel): Html {
  return html`<p class="small muted">Nothing there? Look in the spam folder. You can <a href="${againHref}">ask again</a> in a minute.</p>
${mailboxLink(mailboxHref)}`;
}

/** @param href null where mails go out */
export function mailboxLink(href: string | null): Html | false {
  return (
    href !== null &&
    html`<p class="small">This is a server for development. Its mails are in <a href="${href}">the mailbox</a>.</p>`
  );
}

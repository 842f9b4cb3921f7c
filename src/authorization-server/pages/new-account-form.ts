import { fieldForm, PASSWORD_HINT } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import type { MailedFormModel } from "./mailed-form.ts";

export interface NewAccountModel extends MailedFormModel {
  /** Typed last. */
  readonly name: string;
}

/** The fields of a new account; the address stands fixed. Posts `name`, `password`, `ticket` and `csrf` to `action`. */
export function newAccountForm(model: NewAccountModel): Html {
  return fieldForm({
    ...model,
    hidden: html`<input type="hidden" name="ticket" value="${model.ticket}">`,
    fields: [
      {
        name: "email",
        label: "E-mail address",
        attributes: html`type="text" autocomplete="username" readonly value="${model.email}"`,
      },
      {
        name: "name",
        label: "Your name",
        attributes: html`type="text" autocomplete="name" maxlength="400" value="${model.name}"`,
        hint: "Other people see it beside what you write.",
      },
      {
        name: "password",
        label: "New password",
        attributes: html`type="password" autocomplete="new-password" minlength="15"`,
        hint: PASSWORD_HINT,
      },
    ],
    kept: "Nothing was saved yet.",
    submit: "Create account",
  });
}

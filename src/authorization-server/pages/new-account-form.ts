import { fieldForm, hiddenField } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { fixedAddressField, nameField, newPasswordField } from "./layout/known-fields.ts";
import { type PasskeyPrompt, passkeyButton, passkeyScript } from "./layout/passkey-button.ts";
import type { MailedFormModel } from "./mailed-form.ts";

export interface NewAccountModel extends MailedFormModel {
  /** Typed last. */
  readonly name: string;
  /** null where the account cannot begin with a passkey. */
  readonly passkey: PasskeyPrompt | null;
}

/** The fields of a new account; the address stands fixed. Posts `name`, `password`, `ticket` and `csrf` to `action`, or the answer of a passkey with them. */
export function newAccountForm(model: NewAccountModel): Html {
  const { passkey } = model;
  const form = fieldForm({
    ...model,
    hidden: hiddenField("ticket", model.ticket),
    fields: [
      fixedAddressField(model.email),
      nameField(model.name, "Other people see it beside what you write."),
      newPasswordField(),
    ],
    kept: "Nothing was saved yet.",
    submit: "Create account",
    otherWay: passkey === null ? null : passkeyButton(passkey, { label: "Use a passkey instead" }),
  });
  return html`${form}${passkey !== null && passkeyScript(passkey)}`;
}

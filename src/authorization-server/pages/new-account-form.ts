import { fieldForm, hiddenField } from "./layout/field.ts";
import type { Html } from "./layout/html.ts";
import { fixedAddressField, nameField, newPasswordField } from "./layout/known-fields.ts";
import type { MailedFormModel } from "./mailed-form.ts";

export interface NewAccountModel extends MailedFormModel {
  /** Typed last. */
  readonly name: string;
}

/** The fields of a new account; the address stands fixed. Posts `name`, `password`, `ticket` and `csrf` to `action`. */
export function newAccountForm(model: NewAccountModel): Html {
  return fieldForm({
    ...model,
    hidden: hiddenField("ticket", model.ticket),
    fields: [
      fixedAddressField(model.email),
      nameField(model.name, "Other people see it beside what you write."),
      newPasswordField(),
    ],
    kept: "Nothing was saved yet.",
    submit: "Create account",
  });
}

import { fieldForm, hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { currentPasswordField, fixedAddressField } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";

/** Posts `password`, `for` and `csrf` to `action`. No password is ever sent back. */
export function stepUpPage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  /** The name of the page that follows. */
  page: string;
  email: string;
  errors: Partial<Record<"password", string>>;
}): string {
  return layout(
    { title: "Enter your password", operator: model.operator },
    html`<div class="stack">
<h1>Is it you?</h1>
<p class="muted">To go on, enter your password. Your last sign-in in this browser was some time ago.</p>
</div>
${fieldForm({
  ...model,
  hidden: hiddenField("for", model.page),
  fields: [fixedAddressField(model.email), currentPasswordField("password", "Password")],
  kept: "Nothing was changed.",
  submit: "Go on",
})}`,
  );
}

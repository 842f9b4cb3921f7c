import { fieldForm } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { currentPasswordField, fixedAddressField, newPasswordField } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";

/** Posts `current`, `password` and `csrf` to `action`. No password is ever sent back. */
export function passwordPage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  email: string;
  errors: Partial<Record<"current" | "password", string>>;
}): string {
  return layout(
    { title: "Change password", operator: model.operator },
    html`<div class="stack">
<h1>Change your password</h1>
<p class="muted">This signs out every other browser, and every app has to reconnect.</p>
</div>
${fieldForm({
  ...model,
  fields: [fixedAddressField(model.email), currentPasswordField("current", "Current password"), newPasswordField()],
  kept: "Your password has not changed.",
  submit: "Change password",
})}`,
  );
}

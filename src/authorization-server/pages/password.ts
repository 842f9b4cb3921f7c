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
  /** false: the person sets the first one. */
  hasPassword: boolean;
  errors: Partial<Record<"current" | "password", string>>;
}): string {
  const { hasPassword } = model;
  const title = hasPassword ? "Change password" : "Set a password";
  return layout(
    { title, operator: model.operator },
    html`<div class="stack">
<h1>${hasPassword ? "Change your password" : title}</h1>
<p class="muted">This signs out every other browser, and every app has to reconnect.</p>
</div>
${fieldForm({
  ...model,
  fields: [
    fixedAddressField(model.email),
    ...(hasPassword ? [currentPasswordField("current", "Current password")] : []),
    newPasswordField(),
  ],
  kept: hasPassword ? "Your password has not changed." : "No password was set.",
  submit: title,
})}`,
  );
}

import { fieldForm, PASSWORD_HINT } from "./layout/field.ts";
import { html } from "./layout/html.ts";
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
  fields: [
    {
      name: "email",
      label: "E-mail address",
      attributes: html`type="text" autocomplete="username" readonly value="${model.email}"`,
    },
    {
      name: "current",
      label: "Current password",
      attributes: html`type="password" autocomplete="current-password"`,
    },
    {
      name: "password",
      label: "New password",
      attributes: html`type="password" autocomplete="new-password" minlength="15"`,
      hint: PASSWORD_HINT,
    },
  ],
  kept: "Your password has not changed.",
  submit: "Change password",
})}`,
  );
}

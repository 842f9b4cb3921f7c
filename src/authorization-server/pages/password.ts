import { fields, PASSWORD_HINT, refusedSummary } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";

/** Posts `current`, `password` and `csrf` to `action`. No password is ever sent back. */
export function passwordPage(model: {
  operator: string;
  action: string;
  /** Where the person came from. */
  back: string;
  csrf: string;
  email: string;
  errors: Partial<Record<"current" | "password", string>>;
}): string {
  const { errors } = model;
  const failed = Object.keys(errors).length > 0;
  return layout(
    { title: "Change password", operator: model.operator },
    html`<div class="stack">
<h1>Change your password</h1>
<p class="muted">This signs out every other browser, and every client has to reconnect.</p>
</div>
${failed && html`<div class="note danger" id="password-failed" role="alert">${WARNING}<div>${refusedSummary("Your password has not changed.", errors)}</div></div>`}
<div>
<form method="post" action="${model.action}" novalidate${failed && html` aria-describedby="password-failed"`}>
<input type="hidden" name="csrf" value="${model.csrf}">
${fields(
  [
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
  errors,
)}
<div class="actions field"><button class="primary full" type="submit">Change password</button></div>
</form>
<p class="cancel"><a class="button quiet-button full" href="${model.back}">Cancel</a></p>
</div>`,
  );
}

import { field } from "./layout/field.ts";
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
<p class="muted">Every other browser is signed out then, and every client has to connect anew.</p>
</div>
${failed && html`<div class="note danger" id="password-failed" role="alert">${WARNING}<div>Your password is as it was. Correct the marked field and try again.</div></div>`}
<div>
<form method="post" action="${model.action}"${failed && html` aria-describedby="password-failed"`}>
<input type="hidden" name="csrf" value="${model.csrf}">
${field("email", "E-mail address", undefined, html`type="text" autocomplete="username" readonly value="${model.email}"`)}
${field("current", "Password now", errors.current, html`type="password" autocomplete="current-password"`)}
${field(
  "password",
  "New password",
  errors.password,
  html`type="password" autocomplete="new-password" minlength="15"`,
  "At least 15 characters. A few words in a row are fine.",
)}
<div class="actions field"><button class="primary full" type="submit">Change password</button></div>
</form>
<p class="cancel"><a class="button quiet-button full" href="${model.back}">Cancel</a></p>
</div>`,
  );
}

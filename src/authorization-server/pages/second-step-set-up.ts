import { authenticatorForm, type ShownAuthenticator } from "./authenticator-form.ts";
import { hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { type PasskeyPrompt, passkeyButton, passkeyScript } from "./layout/passkey-button.ts";

/**
 * The set-up of a second step in the middle of a sign-in. Posts `digits`, `app`, `pending`, `for` and `csrf` to the step `authenticator` below
 * `action`, or the answer of a new passkey to the step `passkey`.
 */
export function secondStepSetUpPage(model: {
  operator: string;
  action: string;
  csrf: string;
  /** The sealed first step. */
  pending: string;
  /** The name of the page that follows; null for the usual one. */
  page: string | null;
  authenticator: ShownAuthenticator;
  /** null where the person may add none. */
  passkey: PasskeyPrompt | null;
  error: string | null;
  /** Posts `csrf` there, to go back to the client unsigned. */
  cancel?: { action: string };
}): string {
  const { action, csrf, passkey, authenticator, error } = model;
  const hidden = html`${hiddenField("pending", model.pending)}${model.page !== null && hiddenField("for", model.page)}`;
  return layout(
    { title: "Set up a second step", operator: model.operator },
    html`<div class="stack">
<h1>Set up a second step</h1>
<p class="muted">Your account must have a second step: besides the password, you show at each sign-in that you have your phone or another device of yours. You set it up once, now.</p>
</div>
<p>Scan the code with an authenticator app on your phone. Then enter the 6 digits that the app shows.</p>
${authenticatorForm(authenticator, { action: `${action}/authenticator`, csrf, hidden, error, kept: "The app is not set up yet." })}
${
  passkey !== null &&
  html`<div>
<form method="post" action="${action}/passkey">
${hiddenField("csrf", csrf)}${hidden}${passkeyButton(passkey, { label: "Use a passkey instead" })}
</form>
${passkeyScript(passkey)}
</div>`
}
${
  model.cancel !== undefined &&
  html`<form class="cancel" method="post" action="${model.cancel.action}">
${hiddenField("csrf", csrf)}<button class="quiet-button full" type="submit">Cancel</button>
</form>`
}`,
  );
}

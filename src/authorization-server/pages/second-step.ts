import { type Field, fieldForm, hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { DIGITS_FIELD, RECOVERY_CODE_FIELD } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";
import { type PasskeyPrompt, passkeyButton, passkeyScript } from "./layout/passkey-button.ts";

/**
 * The second step of a sign-in, with what this person has for it. Posts `digits` or `code`, with `pending`, `for` and `csrf`, to `action`, or
 * the answer of a passkey to the step `passkey` below it.
 */
export function secondStepPage(model: {
  operator: string;
  /** E-mail address or URL at which people who have lost everything get help; null for an administrator. */
  supportContact: string | null;
  action: string;
  csrf: string;
  /** The sealed first step. */
  pending: string;
  /** The name of the page that follows; null for the usual one. */
  page: string | null;
  /** The page on which the sign-in begins. */
  back: string;
  hasApp: boolean;
  hasCodes: boolean;
  passkey: { prompt: PasskeyPrompt; error: string | null } | null;
  /** The client that wishes for the step, which the account does not need; null where it does. */
  wishedBy: string | null;
  errors: Partial<Record<"digits" | "code", string>>;
  /** Posts `csrf` there, to go back to the client unsigned. */
  cancel?: { action: string };
}): string {
  const { action, csrf, hasApp, hasCodes, passkey, errors, supportContact } = model;
  const hidden = html`${hiddenField("pending", model.pending)}${model.page !== null && hiddenField("for", model.page)}`;
  const form = { action, csrf, hidden, kept: "You are not signed in yet.", errors };
  const isOpen = errors.code !== undefined || (!hasApp && passkey === null);
  return layout(
    { title: "Second step", operator: model.operator },
    html`<div class="stack">
<h1>Second step</h1>
<p class="muted">${
      hasApp
        ? "Enter the digits that your authenticator app shows now."
        : passkey !== null
          ? "Use your passkey to go on."
          : hasCodes
            ? "Enter one of your recovery codes."
            : "Nothing is left that you can take the second step with here."
    }</p>
</div>
${hasApp && fieldForm({ ...form, errors: pick(errors, "digits"), fields: [digitsField(Object.keys(errors).length === 0)], submit: "Sign in" })}
${passkey?.error != null && html`<div class="note danger" role="alert">${WARNING}<div>${passkey.error}</div></div>`}
${
  passkey !== null &&
  html`<div>
<form method="post" action="${action}/passkey">
${hiddenField("csrf", csrf)}${hidden}${passkeyButton(passkey.prompt, { label: "Use a passkey", isPrimary: !hasApp })}
</form>
${passkeyScript(passkey.prompt)}
</div>`
}
${
  hasCodes &&
  html`<details${isOpen && html` open`}><summary>Use a recovery code</summary>
${fieldForm({ ...form, errors: pick(errors, "code"), fields: [RECOVERY_CODE_FIELD], submit: "Sign in with this code" })}
</details>`
}
<p class="small muted">Lost everything? ${supportContact === null ? "Ask an administrator of this service." : html`Ask <bdi>${supportContact}</bdi>.`} <a href="${model.back}">Start the sign-in again</a></p>
${
  model.wishedBy !== null &&
  html`<form method="post" action="${action}/skip">
${hiddenField("csrf", csrf)}${hidden}
<p class="small muted"><bdi>${model.wishedBy}</bdi> asks for this step. Your account does not need it.</p>
<div class="last"><button class="full" type="submit">Go on without it</button></div>
</form>`
}
${
  model.cancel !== undefined &&
  html`<form class="cancel" method="post" action="${model.cancel.action}">
${hiddenField("csrf", csrf)}<button class="quiet-button full" type="submit">Cancel</button>
</form>`
}`,
  );
}

/** The focus begins here, unless a field has an error: then it begins there. */
function digitsField(hasFocus: boolean): Field {
  return hasFocus ? { ...DIGITS_FIELD, attributes: html`${DIGITS_FIELD.attributes} autofocus` } : DIGITS_FIELD;
}

function pick(errors: Partial<Record<"digits" | "code", string>>, name: "digits" | "code") {
  return errors[name] === undefined ? {} : { [name]: errors[name] };
}

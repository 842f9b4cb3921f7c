import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";
import { type PasskeyPrompt, passkeyButton, passkeyScript } from "./layout/passkey-button.ts";
import { type ShownUpstream, upstreamButtons } from "./upstream.ts";

/**
 * Posts `email`, `password` and `csrf` to `action`, or the answer of a passkey to the other one. `error` must not say which of the two was
 * wrong (A40).
 */
export function signInPage(model: {
  operator: string;
  action: string;
  csrf: string;
  /** The name of the page that follows; null for the usual one. */
  page?: string | null;
  /** The client that asks; null when nobody does. */
  clientName: string | null;
  /** The address that the person typed last, or the client's login_hint. */
  email?: string;
  error?: string;
  /** Ways on for people who cannot sign in yet; `signUp` is null where nobody can sign up. */
  links: { signUp: string | null; recover: string };
  /** null where there are no passkeys. `error` is the refusal of the last. */
  passkey?: { action: string; prompt: PasskeyPrompt; error?: string } | null;
  /** Other services, by which people sign in: `provider` is posted. `error` is the refusal of the last. */
  upstreams?: { action: string; list: readonly ShownUpstream[]; error?: string };
  /** The service that the person wants to link after the sign-in; null for none. */
  linking?: string | null;
  /** Posts `csrf` there, to go back to the client unsigned. */
  cancel?: { action: string };
}): string {
  // The address is a text field: type=email rejects local parts that are not ASCII and rewrites domains as punycode.
  const described = model.error !== undefined && html` aria-describedby="sign-in-error"`;
  const invalid = model.error !== undefined && html` aria-invalid="true" aria-describedby="sign-in-error"`;
  const focus = html` autofocus`;
  const { passkey = null, upstreams, linking = null } = model;
  const error = model.error ?? passkey?.error ?? upstreams?.error;
  const hidden = html`<input type="hidden" name="csrf" value="${model.csrf}">${model.page && html`<input type="hidden" name="for" value="${model.page}">`}`;
  return layout(
    { title: "Sign in", operator: model.operator },
    html`<div class="stack">
<h1>Sign in</h1>
<p class="muted">${
      model.clientName === null
        ? html`Use your <bdi>${model.operator}</bdi> account.`
        : html`<strong><bdi>${model.clientName}</bdi></strong> asks you to sign in.`
    }</p>
</div>
${linking !== null && html`<div class="note"><div>Sign in to your account. Then you can link <bdi>${linking}</bdi> to it.</div></div>`}
${error !== undefined && html`<div class="note danger" id="sign-in-error" role="alert">${WARNING}<div>${error}</div></div>`}
<div>
<form method="post" action="${model.action}"${described}>
${hidden}
<div class="field">
<label for="email">E-mail address</label>
<input id="email" name="email" type="text" inputmode="email" autocomplete="username${passkey !== null && " webauthn"}" autocapitalize="none" autocorrect="off" spellcheck="false" required value="${model.email}"${invalid}${(model.error !== undefined || !model.email) && focus}>
</div>
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${invalid}${model.error === undefined && model.email && focus}>
</div>
<div class="actions field"><button class="primary full" type="submit">Sign in</button></div>
</form>
${
  passkey !== null &&
  html`<form class="other-way" method="post" action="${passkey.action}">
${hidden}${passkeyButton(passkey.prompt, { label: "Sign in with a passkey", hasAutofill: true })}
</form>`
}
${
  upstreams !== undefined &&
  upstreams.list.length > 0 &&
  html`<form class="other-way" method="post" action="${upstreams.action}">
${hidden}${upstreamButtons(upstreams.list, "Continue with")}
</form>`
}
<p class="links"><a href="${model.links.recover}">Forgot the password?</a>${model.links.signUp !== null && html` <a href="${model.links.signUp}">Create an account</a>`}</p>
${
  model.cancel &&
  html`<form class="cancel" method="post" action="${model.cancel.action}">
<input type="hidden" name="csrf" value="${model.csrf}">
<button class="quiet-button full" type="submit">Cancel</button>
</form>`
}
${passkey !== null && passkeyScript(passkey.prompt)}
</div>`,
  );
}

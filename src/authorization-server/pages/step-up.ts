import { type Field, fieldForm, hiddenField } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { currentPasswordField, fixedAddressField, RECOVERY_CODE_FIELD } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";
import { type PasskeyPrompt, passkeyButton, passkeyScript } from "./layout/passkey-button.ts";
import { type ShownUpstream, upstreamButtons } from "./upstream.ts";

/**
 * Posts `password`, `second`, `for` and `csrf` to `action`, the answer of a passkey to the step `passkey` below it, or `provider` and
 * `second` to the step `upstream`. No password is ever sent back.
 */
export function stepUpPage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  /** The name of the page that follows. */
  page: string;
  email: string;
  /** Whether the account has a password, with what must be beside it. */
  hasPassword: boolean;
  /** The second step that the password wants beside it; null where it is enough alone. */
  second: "digits" | "code" | null;
  /** Whether the person signed in here long ago, and not without the second step. */
  isOld: boolean;
  errors: Partial<Record<"password" | "second", string>>;
  /** null for a person without one. */
  passkey: { prompt: PasskeyPrompt; error: string | null } | null;
  /** Services that the person is linked with, and that can ask them anew. */
  upstreams: readonly ShownUpstream[];
  upstreamError: string | null;
}): string {
  const { hasPassword, passkey, second, upstreams } = model;
  const hidden = hiddenField("for", model.page);
  const beside =
    second === null ? "" : second === "digits" ? " and the digits of your authenticator app" : " and a recovery code";
  const ways = [
    ...(hasPassword ? [`enter your password${beside}`] : []),
    ...(passkey !== null ? ["use a passkey"] : []),
    ...upstreams.map(({ name }) => `sign in at ${name}`),
  ];
  return layout(
    { title: "Is it you?", operator: model.operator },
    html`<div class="stack">
<h1>Is it you?</h1>
<p class="muted">To go on, ${ways.join(second === null ? " or " : ", or ")}. ${model.isOld ? "Your last sign-in in this browser was some time ago." : "You signed in to this browser without your second step."}</p>
</div>
${passkey?.error != null && html`<div class="note danger" role="alert">${WARNING}<div>${passkey.error}</div></div>`}
${
  passkey !== null &&
  html`<div>
<form method="post" action="${model.action}/passkey">
${hiddenField("csrf", model.csrf)}${hidden}${passkeyButton(passkey.prompt, { label: "Use a passkey", isPrimary: !hasPassword })}
</form>
${passkeyScript(passkey.prompt)}
</div>`
}
${model.upstreamError !== null && html`<div class="note danger" role="alert">${WARNING}<div>${model.upstreamError}</div></div>`}
${
  upstreams.length > 0 &&
  html`<form method="post" action="${model.action}/upstream">
${hiddenField("csrf", model.csrf)}${hidden}
${second !== null && secondInput(SECOND_FIELDS[second], hasPassword ? undefined : model.errors.second)}
${upstreamButtons(upstreams, "Continue with")}
</form>`
}
${
  hasPassword
    ? fieldForm({
        ...model,
        hidden,
        fields: [
          fixedAddressField(model.email),
          currentPasswordField("password", "Password"),
          ...(second === null ? [] : [SECOND_FIELDS[second]]),
        ],
        kept: "Nothing was changed.",
        submit: "Go on",
      })
    : html`<p class="cancel"><a class="button quiet-button full" href="${model.back}">Cancel</a></p>`
}`,
  );
}

/** Beside the buttons of services. */
function secondInput({ label, attributes, hint }: Field, error: string | undefined): Html {
  return html`<div class="field">
<label for="upstream-second">${label}</label>
<input id="upstream-second" name="second" ${attributes} required${error !== undefined && html` aria-invalid="true" aria-describedby="upstream-second-error"`}>
${error !== undefined && html`<p class="field-error" id="upstream-second-error">${error}</p>`}
<p class="hint">${hint}</p>
</div>`;
}

const CODE_FIELD: Field = { ...RECOVERY_CODE_FIELD, name: "second" };

const SECOND_FIELDS = {
  digits: {
    ...CODE_FIELD, // Not numeric: a phone shows a keyboard with letters too.
    label: "Digits of your authenticator app",
    hint: "Without your phone, enter a recovery code here.",
  },
  code: CODE_FIELD,
} as const satisfies Record<string, Field>;

/** For a person with nothing to show. Signing in anew is the way on: the page of the sign-in tells the rest. */
export function noStepUpPage(model: {
  operator: string;
  /** The page that the person came from. */
  back: string;
  /** Whether the person must take a second step, and has nothing for it here. Otherwise a password is missing. */
  lacksSecondStep: boolean;
  /** The page on which people get a password by mail. */
  recoverHref: string;
  /** E-mail address or URL at which people who have lost everything get help; null for an administrator. */
  supportContact: string | null;
}): string {
  const { supportContact } = model;
  return layout(
    { title: "Is it you?", operator: model.operator },
    html`<div class="stack">
<h1>Is it you?</h1>
<p class="muted">${
      model.lacksSecondStep
        ? html`To go on, you need your second step, and nothing is left that you can take it with here. Ask ${supportContact === null ? "an administrator of this service" : html`<bdi>${supportContact}</bdi>`}.`
        : "To go on, you need a password. Your account has none, and no passkey that can be used here."
    }</p>
</div>
${!model.lacksSecondStep && html`<p><a class="button primary full" href="${model.recoverHref}">Get a password by mail</a></p>`}
<p class="cancel"><a class="button quiet-button full" href="${model.back}">Cancel</a></p>`,
  );
}

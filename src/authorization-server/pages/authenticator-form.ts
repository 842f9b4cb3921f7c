import { fieldForm, hiddenField } from "./layout/field.ts";
import { type Html, html, trustedHtml } from "./layout/html.ts";
import { DIGITS_FIELD } from "./layout/known-fields.ts";

/** A new authenticator app that waits for its first digits. */
export interface ShownAuthenticator {
  /** For a hidden field of the form. */
  readonly sealed: string;
  /** Base32, in groups. */
  readonly secret: string;
  /** `otpauth:` link. */
  readonly uri: string;
  /** An SVG element of ours. */
  readonly qrCode: string;
}

/** The QR code of a new authenticator app, and the form for its first digits. Posts `digits`, `app` and `csrf` to `action`. */
export function authenticatorForm(
  about: ShownAuthenticator & { action: string; csrf: string; hidden?: Html; error: string | null; back?: string },
): Html {
  const { sealed, secret, uri, qrCode, action, csrf, hidden, error, back } = about;
  return html`<div class="stack">
<p>Scan this with an authenticator app, such as the one of your password manager.</p>
<div class="qr-code">${trustedHtml(qrCode)}</div>
<p class="small">On this device, <a href="${uri}">open the app</a>. Or type this key into it: <code>${secret}</code></p>
</div>
${fieldForm({
  ...{ action, csrf, kept: "Nothing was changed." },
  hidden: html`${hiddenField("app", sealed)}${hidden}`,
  fields: [{ ...DIGITS_FIELD, label: "Digits that the app shows now" }],
  errors: error === null ? {} : { digits: error },
  submit: "Confirm the app",
  ...(back === undefined ? {} : { back }),
})}`;
}

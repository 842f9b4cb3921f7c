import { fieldForm, hiddenField } from "./layout/field.ts";
import { type Html, html, trustedHtml } from "./layout/html.ts";
import { DIGITS_FIELD } from "./layout/known-fields.ts";

/** A new authenticator app that waits for its first digits. */
export interface ShownAuthenticator {
  /** The sealed app, which the form sends back. */
  readonly sealed: string;
  /** Base32, in groups. */
  readonly secret: string;
  /** Opens an app on the same device. */
  readonly uri: string;
  /** An SVG element of ours. */
  readonly qrCode: string;
}

/** The QR code of a new app, and the form for its first digits. Posts `digits`, `app` and `csrf` to `action`. */
export function authenticatorForm(
  { sealed, secret, uri, qrCode }: ShownAuthenticator,
  form: { action: string; csrf: string; hidden?: Html; kept: string; error: string | null; back?: string },
): Html {
  const { hidden, error, ...rest } = form;
  return html`<div class="qr-code">${trustedHtml(qrCode)}</div>
<div class="stack small">
<p>No app yet? Any authenticator app works, and many password managers have one.</p>
<p>Is your app on this device? <a href="${uri}">Open it with this link</a></p>
<p>Or enter this key in the app: <code class="copied">${secret}</code></p>
</div>
${fieldForm({
  ...rest,
  hidden: html`${hiddenField("app", sealed)}${hidden}`,
  fields: [DIGITS_FIELD],
  errors: error === null ? {} : { digits: error },
  submit: "Confirm the app",
})}`;
}

import { fieldForm, hiddenField } from "./layout/field.ts";
import { type Html, html } from "./layout/html.ts";
import { DIGITS_FIELD } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";

/** A new authenticator app and the form that confirms it. Posts `digits`, `app` and `csrf` to `action`. */
export function authenticatorPage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  /** The sealed app, which the form sends back. */
  app: string;
  /** An SVG element. */
  qrCode: Html;
  /** Base32, in groups. */
  secret: string;
  /** Opens an app on the same device. */
  uri: string;
  /** Whether it takes the place of another app. */
  isReplacement: boolean;
  errors: Partial<Record<"digits", string>>;
}): string {
  const { qrCode, secret, uri, isReplacement } = model;
  const title = isReplacement ? "Replace the authenticator app" : "Set up an authenticator app";
  return layout(
    { title, operator: model.operator },
    html`<div class="stack">
<h1>${title}</h1>
<p class="muted">Scan the code with an authenticator app on your phone. Then enter the 6 digits that the app shows.${isReplacement && " Your present app counts until then."}</p>
</div>
<div class="qr-code">${qrCode}</div>
<div class="stack small">
<p>Is your app on this device? <a href="${uri}">Open it with this link</a></p>
<p>Or enter this key in the app: <code class="copied">${secret}</code></p>
</div>
${fieldForm({
  ...model,
  hidden: hiddenField("app", model.app),
  fields: [DIGITS_FIELD],
  kept: isReplacement ? "Your present app still counts." : "The app is not set up yet.",
  submit: "Confirm the app",
})}`,
  );
}

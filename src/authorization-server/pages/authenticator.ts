import { authenticatorForm, type ShownAuthenticator } from "./authenticator-form.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";

/** A new authenticator app and the form that confirms it, as `authenticatorForm` has it. */
export function authenticatorPage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  authenticator: ShownAuthenticator;
  /** Whether it takes the place of another app. */
  isReplacement: boolean;
  error: string | null;
}): string {
  const { authenticator, isReplacement, ...form } = model;
  const title = isReplacement ? "Replace the authenticator app" : "Set up an authenticator app";
  return layout(
    { title, operator: model.operator },
    html`<div class="stack">
<h1>${title}</h1>
<p class="muted">Scan the code with an authenticator app on your phone. Then enter the 6 digits that the app shows.${isReplacement && " Your present app counts until then."}</p>
</div>
${authenticatorForm(authenticator, {
  ...form,
  kept: isReplacement ? "Your present app still counts." : "The app is not set up yet.",
})}`,
  );
}

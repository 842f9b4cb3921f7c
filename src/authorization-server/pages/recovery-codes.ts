import { hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";

/**
 * New recovery codes, which no other page shows. Posts `codes` and `csrf` to `fileAction`, which answers with a text file, and to `keptAction`
 * when the person has kept them.
 */
export function recoveryCodesPage(model: {
  operator: string;
  csrf: string;
  codes: readonly string[];
  /** The same, sealed. */
  sealedCodes: string;
  fileAction: string;
  /** Turns the second step on; null where there is nothing to turn on. */
  keptAction: string | null;
  /** The page that follows without it. */
  next: string;
  /** Whether the page says that an authenticator app was set up just now. */
  isAppAdded: boolean;
}): string {
  const { csrf, codes, keptAction, isAppAdded } = model;
  const hidden = html`${hiddenField("csrf", csrf)}${hiddenField("codes", model.sealedCodes)}`;
  return layout(
    { title: "Recovery codes", operator: model.operator },
    html`<div class="stack">
<h1>Keep your recovery codes</h1>
<p class="muted">Without your phone, you sign in with one of these codes. Each is good once. They are shown only now. Codes from before do not work any more.</p>
</div>
${isAppAdded && html`<div class="note" role="status"><div>The authenticator app is set up.</div></div>`}
<ol role="list" class="codes copied">
${codes.map((code) => html`<li><code>${code}</code></li>`)}
</ol>
<p class="small muted">Print them, or keep them in a password manager: not on your phone alone.</p>
<div>
<form method="post" action="${model.fileAction}">${hidden}<button class="full" type="submit">Download as a text file</button></form>
${
  keptAction === null
    ? html`<p class="last"><a class="button primary full" href="${model.next}">I have kept them</a></p>`
    : html`<form class="last" method="post" action="${keptAction}">${hidden}
<p class="small muted" id="turns-on">This turns the second step on. It signs out every other browser, and every app has to reconnect.</p>
<div class="last"><button class="primary full" type="submit" aria-describedby="turns-on">I have kept them</button></div></form>
<p class="cancel"><a class="button quiet-button full" href="${model.next}">Not now</a></p>`
}
</div>`,
  );
}

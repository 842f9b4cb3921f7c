import { hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";

/**
 * New recovery codes, which no other page shows. Posts `hidden` and `csrf` to `fileAction`, which answers with a text file, and to `keptAction`
 * when the person has kept them.
 */
export function recoveryCodesPage(model: {
  operator: string;
  csrf: string;
  codes: readonly string[];
  hidden: Readonly<Record<string, string>>;
  /** null: there is no file. */
  fileAction: string | null;
  /** Turns the second step on; null where there is nothing to turn on. */
  keptAction: string | null;
  /** The page that follows without it; null where the person cannot go on without it. */
  next: string | null;
  /** Whether the page says that an authenticator app was set up just now. */
  isAppAdded: boolean;
}): string {
  const { csrf, codes, fileAction, keptAction, next, isAppAdded } = model;
  const hidden = [["csrf", csrf] as const, ...Object.entries(model.hidden)].map(([name, value]) =>
    hiddenField(name, value),
  );
  return layout(
    { title: "Recovery codes", operator: model.operator },
    html`<div class="stack">
<h1>Keep your recovery codes</h1>
<p class="muted">Without your phone, you sign in with one of these codes. Each is good once. They are shown only now. If you had codes before, those do not work any more.</p>
</div>
${isAppAdded && html`<div class="note" role="status"><div>The authenticator app is set up.</div></div>`}
<ol role="list" class="codes copied">
${codes.map((code) => html`<li><code>${code}</code></li>`)}
</ol>
<p class="small muted">Print them, or keep them in a password manager: not on your phone alone.</p>
<div>
${fileAction !== null && html`<form method="post" action="${fileAction}">${hidden}<button class="full" type="submit">Download as a text file</button></form>`}
${
  keptAction === null
    ? html`<p class="last"><a class="button primary full" href="${next}">I have kept them</a></p>`
    : html`<form class="last" method="post" action="${keptAction}">${hidden}
<p class="small muted" id="turns-on">This turns the second step on. It signs out every other browser, and every app has to reconnect.</p>
<div class="last"><button class="primary full" type="submit" aria-describedby="turns-on">I have kept them</button></div></form>
${next !== null && html`<p class="cancel"><a class="button quiet-button full" href="${next}">Not now</a></p>`}`
}
</div>`,
  );
}

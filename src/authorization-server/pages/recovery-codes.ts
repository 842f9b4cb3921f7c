import { hiddenField } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";

/** New recovery codes, which are shown this once. Posts `hidden` and `csrf` to `action`. */
export function recoveryCodesPage(model: {
  operator: string;
  codes: readonly string[];
  action: string;
  csrf: string;
  hidden: Readonly<Record<string, string>>;
}): string {
  return layout(
    { title: "Recovery codes", operator: model.operator },
    html`<div class="stack">
<h1>Keep these recovery codes</h1>
<p>Each signs you in once, when you do not have your phone or passkey. They are not shown again: print them, or put them into your password manager.</p>
</div>
<pre tabindex="0" role="region" aria-label="Recovery codes"><code>${model.codes.join("\n")}</code></pre>
<form method="post" action="${model.action}">
${hiddenField("csrf", model.csrf)}${Object.entries(model.hidden).map(([name, value]) => hiddenField(name, value))}
<button class="primary full" type="submit">I have kept them</button>
</form>`,
  );
}

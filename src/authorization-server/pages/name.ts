import { fields, refusedSummary } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { layout } from "./layout/layout.ts";
import { WARNING } from "./layout/marks.ts";

/** Posts `name` and `csrf` to `action`. */
export function namePage(model: {
  operator: string;
  action: string;
  /** Where the person came from. */
  back: string;
  csrf: string;
  /** The present one, or what the person typed last. */
  name: string;
  errors: Partial<Record<"name", string>>;
}): string {
  const { errors } = model;
  const failed = errors.name !== undefined;
  return layout(
    { title: "Change name", operator: model.operator },
    html`<div class="stack">
<h1>Change your name</h1>
<p class="muted">Other people see it beside your posts. Clients that may see your name get the new one.</p>
</div>
${failed && html`<div class="note danger" id="name-failed" role="alert">${WARNING}<div>${refusedSummary("Your name has not changed.", errors)}</div></div>`}
<div>
<form method="post" action="${model.action}" novalidate${failed && html` aria-describedby="name-failed"`}>
<input type="hidden" name="csrf" value="${model.csrf}">
${fields(
  [
    {
      name: "name",
      label: "Your name",
      attributes: html`type="text" autocomplete="name" maxlength="400" value="${model.name}"`,
    },
  ],
  errors,
)}
<div class="actions field"><button class="primary full" type="submit">Change name</button></div>
</form>
<p class="cancel"><a class="button quiet-button full" href="${model.back}">Cancel</a></p>
</div>`,
  );
}

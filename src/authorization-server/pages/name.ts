import { fieldForm } from "./layout/field.ts";
import { html } from "./layout/html.ts";
import { nameField } from "./layout/known-fields.ts";
import { layout } from "./layout/layout.ts";

/** Posts `name` and `csrf` to `action`. */
export function namePage(model: {
  operator: string;
  action: string;
  /** The page that the person came from. */
  back: string;
  csrf: string;
  /** The present one, or what the person typed last. */
  name: string;
  errors: Partial<Record<"name", string>>;
}): string {
  return layout(
    { title: "Change name", operator: model.operator },
    html`<div class="stack">
<h1>Change your name</h1>
<p class="muted">Other people see it beside your posts. Apps that may see your name get the new one.</p>
</div>
${fieldForm({
  ...model,
  fields: [nameField(model.name)],
  kept: "Your name has not changed.",
  submit: "Change name",
})}`,
  );
}

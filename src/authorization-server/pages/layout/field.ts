import { type Html, html } from "./html.ts";

/** A labelled field, with its hint and its error where a screen reader finds them. Its id is its name. */
export function field(name: string, label: string, error: string | undefined, attributes: Html, hint?: string): Html {
  const described = [error !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} required${
    described.length > 0 && html` aria-describedby="${described.join(" ")}"`
  }${error !== undefined && html` aria-invalid="true"`}>
${error !== undefined && html`<p class="field-error" id="${name}-error">${error}</p>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}

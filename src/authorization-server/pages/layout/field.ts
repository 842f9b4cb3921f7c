import { type Html, html } from "./html.ts";

/** The rules for a new password, as far as people need to know them beforehand. */
export const PASSWORD_HINT =
  "At least 15 characters, without your name, your e-mail address and the name of this service. A few words in a row are fine.";

interface Field {
  /** Its id too. */
  readonly name: string;
  readonly label: string;
  /** Of the input element. */
  readonly attributes: Html;
  readonly hint?: string;
}

/**
 * Labelled fields, each with its hint and its error where a screen reader finds them. The focus begins in the first field
 * that has an error, without script.
 */
export function fields(list: readonly Field[], errors: Readonly<Record<string, string | undefined>>): Html {
  const first = list.find(({ name }) => errors[name] !== undefined);
  return html`${list.map((each) => field(each, errors[each.name], each === first))}`;
}

function field({ name, label, attributes, hint }: Field, error: string | undefined, hasFocus: boolean): Html {
  const described = [error !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} required${
    described.length > 0 && html` aria-describedby="${described.join(" ")}"`
  }${error !== undefined && html` aria-invalid="true"`}${hasFocus && html` autofocus`}>
${error !== undefined && html`<p class="field-error" id="${name}-error">${error}</p>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>
`;
}

/** What stands above a form that was refused. @param kept what has not happened, as a sentence */
export function refusedSummary(kept: string, errors: Readonly<Record<string, string | undefined>>): string {
  const count = Object.values(errors).filter((error) => error !== undefined).length;
  return `${kept} Correct the ${count === 1 ? "marked field" : `${count} marked fields`} and try again.`;
}

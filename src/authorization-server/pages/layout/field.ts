import { type Html, html } from "./html.ts";
import { WARNING } from "./marks.ts";

export interface Field {
  /** Its id too. */
  readonly name: string;
  readonly label: string;
  /** Attributes of the input element. */
  readonly attributes: Html;
  readonly hint?: string | Html;
}

/** Faults of what was typed, by the name of the field. */
type Errors = Readonly<Record<string, string | undefined>>;

/**
 * Labelled fields, each with its hint and its error where a screen reader finds them. The focus begins in the first field
 * that has an error, without script.
 */
function fields(list: readonly Field[], errors: Errors): Html {
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

/** A value that the form sends back unchanged. */
export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** A form of ours, which posts `csrf` and its fields to `action`. */
interface FieldForm {
  readonly action: string;
  readonly csrf: string;
  /** The other hidden fields. */
  readonly hidden?: Html;
  /** Choices that stand above the fields. */
  readonly above?: Html;
  readonly fields: readonly Field[];
  readonly errors: Errors;
  /** Says what has not happened when the form was refused, such as "Nothing was saved yet." */
  readonly kept: string;
  /** The text on its button. */
  readonly submit: string;
  /** Another way to send the form. */
  readonly otherWay?: Html | null;
  /** The page to go back to, where the person may leave the form. */
  readonly back?: string;
}

/** The form, and above it a summary when it was refused. The error `form`, which belongs to no field, is the summary. */
export function fieldForm({
  action,
  csrf,
  hidden,
  above,
  fields: list,
  errors,
  kept,
  submit,
  otherWay,
  back,
}: FieldForm): Html {
  const count = Object.values(errors).filter((error) => error !== undefined).length;
  const marked = count === 1 ? "marked field" : `${count} marked fields`;
  const summary = errors.form ?? `${kept} Correct the ${marked} and try again.`;
  return html`${count > 0 && html`<div class="note danger" id="refused" role="alert">${WARNING}<div>${summary}</div></div>`}
<div>
<form method="post" action="${action}" novalidate${count > 0 && html` aria-describedby="refused"`}>
${hiddenField("csrf", csrf)}${hidden}
${above}${fields(list, errors)}
<div class="actions field"><button class="primary full" type="submit">${submit}</button></div>
${otherWay && html`<div class="other-way">${otherWay}</div>`}
</form>
${back !== undefined && html`<p class="cancel"><a class="button quiet-button full" href="${back}">Cancel</a></p>`}
</div>`;
}

import { escapeHtml } from "../../../design/escape-html.ts";

/**
 * Markup that is safe to send. Only `html` and `trustedHtml` make it, so a plain string, or an object that came
 * out of JSON, can never pass for it.
 */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Values that `html` takes: null, undefined and false print nothing, arrays print their items. */
type Interpolation = string | number | Html | null | undefined | false | readonly Interpolation[];

/** Markup with every interpolation escaped for text and for quoted attributes; `Html` passes through as it is. */
export function html(strings: TemplateStringsArray, ...values: readonly Interpolation[]): Html {
  let markup = strings[0] ?? "";
  values.forEach((value, index) => {
    markup += render(value) + (strings[index + 1] ?? "");
  });
  return new Html(markup);
}

/** Marks text as markup, unescaped: for markup from our own libraries only, never for anything a person sent. */
export function trustedHtml(markup: string): Html {
  return new Html(markup);
}

function render(value: Interpolation): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(render).join("");
  return escapeHtml(String(value));
}

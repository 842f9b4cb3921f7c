import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { TICK } from "./marks.ts";

/** A page that says what was done, with the one way on. */
export function donePage(model: {
  readonly operator: string;
  readonly title: string;
  /** Defaults to the title. */
  readonly heading?: string;
  /** Paragraphs. */
  readonly text: Html;
  readonly next: { readonly label: string; readonly href: string };
}): string {
  const { operator, title, heading = title, text, next } = model;
  return layout(
    { title, operator },
    html`${TICK}
<div class="stack">
<h1>${heading}</h1>
${text}
</div>
<p><a class="button full" href="${next.href}">${next.label}</a></p>`,
  );
}

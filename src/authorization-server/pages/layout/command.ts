import { type Html, html } from "./html.ts";

/** A command line to copy. */
export function commandLine({
  program,
  label,
  rest,
}: {
  /** The words before a command, such as `bin/content-api`. */
  readonly program: string;
  /** Says what the command does. */
  readonly label: string;
  /** The words that follow the program's name. */
  readonly rest: string;
}): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${program} ${rest}</code></pre>`;
}

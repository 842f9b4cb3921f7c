import { type Html, html } from "./html.ts";

/**
 * A command line to copy.
 *
 * @param program the words before a command, such as `bin/content-api`
 * @param label says what the command does
 * @param rest what follows the program's name
 */
export function commandLine(program: string, label: string, rest: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${program} ${rest}</code></pre>`;
}

import { type Html, html } from "./html.ts";

/** A command line to copy. @param label says what it does @param program the words before a command, such as `bin/content-api` */
export function commandLine(label: string, program: string, rest: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${program} ${rest}</code></pre>`;
}

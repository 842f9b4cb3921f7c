import { type Html, html } from "./html.ts";

/** The program as people call it in the folder of the service. */
const PROGRAM = "bin/content-api";

/** A command line to copy. @param label says what it does @param rest what follows the program's name */
export function command(label: string, rest: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${PROGRAM} ${rest}</code></pre>`;
}

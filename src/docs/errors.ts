import { ERROR_CODES } from "../domain/error-codes.ts";
import { code, prose } from "./html.ts";

/** Every error code, one heading each, so that a link can lead to it. */
export function errorPage(): string {
  const entries = Object.entries(ERROR_CODES).map(([name, { status, when, remedy, extensions = {} }]) => {
    const fields = Object.entries(extensions).map(
      ([field, meaning]) => `<li>${code(`extensions.${field}`)}: ${prose(meaning)}</li>`,
    );
    return `<h2 id="${name.toLowerCase()}">${name.replaceAll("_", "_<wbr>")}</h2>
<p>${prose(when)}</p>
<p>${prose(remedy)}</p>
<p class="muted">Status: ${prose(status)}</p>
${fields.length === 0 ? "" : `<ul>${fields.join("")}</ul>`}`;
  });
  return `<p>GraphQL errors have a code in ${code("extensions.code")}. A request error means that nothing ran, and the answer has
no ${code("data")}. A field error has a ${code("path")}, and the answer has ${code("data")} as well. Statuses are those for
${code("Accept: application/graphql-response+json")}. OAuth endpoints answer with the errors of their RFCs, as
${code('{ "error": "…", "error_description": "…" }')}.</p>
${entries.join("\n")}`;
}

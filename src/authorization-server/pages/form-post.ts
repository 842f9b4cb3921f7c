import { createHash } from "node:crypto";
import { html, trustedHtml } from "./layout/html.ts";
import { layout, pageHeaders } from "./layout/layout.ts";

const SCRIPT = "document.forms[0].submit()";

const SCRIPT_HASH = `'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'`;

/** Carries an answer to the client in a form that sends itself (OAuth 2.0 Form Post Response Mode); without script, by a button. */
export function formPostPage(model: {
  operator: string;
  action: string;
  fields: Readonly<Record<string, unknown>>;
  clientName: string | null;
}): string {
  const fields = Object.entries(model.fields).filter(([, value]) => value !== undefined);
  const client = model.clientName === null ? "the client" : html`<bdi>${model.clientName}</bdi>`;
  return layout(
    { title: "One more step", operator: model.operator },
    html`<div class="stack">
<h1>One more step</h1>
<p>You return to ${client}. If nothing happens, select Continue.</p>
</div>
<form method="post" action="${model.action}">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}
<button class="primary full" type="submit">Continue</button>
</form>
<script>${trustedHtml(SCRIPT)}</script>`,
  );
}

/**
 * As of every page, but for the one script; and `form-action` stays open, because Chromium holds every redirect after
 * a post against it, and where the client sends people on is not ours to know.
 */
export function formPostHeaders(): Record<string, string> {
  const headers = pageHeaders();
  const policy = headers["content-security-policy"]
    ?.split("; ")
    .filter((directive) => !directive.startsWith("form-action"))
    .concat(`script-src ${SCRIPT_HASH}`);
  return { ...headers, "content-security-policy": policy?.join("; ") ?? "" };
}

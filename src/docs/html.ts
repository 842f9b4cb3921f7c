import { escapeHtml } from "../design/escape-html.ts";

/** Text of a description: `code` in backticks becomes an element, everything else is text. */
export function prose(markdown: string): string {
  return markdown
    .split(/(`[^`]+`)/)
    .map((part) => (/^`.+`$/s.test(part) ? code(part.slice(1, -1)) : escapeHtml(part)))
    .join("");
}

export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** A table of HTML cells. A wide one scrolls by itself, by keyboard too. */
export function table(label: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  return `<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table>
<thead><tr>${head.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`).join("")}</tr></thead>
<tbody>
${rows.map(cells).join("\n")}
</tbody>
</table></div>`;
}

/** A block of code that people copy. */
export function block(label: string, text: string): string {
  return `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${escapeHtml(text)}</code></pre>`;
}

/* Pieces of the generated pages. Everything returns Markdown that reads well on GitHub too. */

/** A page of docs/reference. */
export interface Page {
  /** Name of the file in docs/reference, without `.md`. */
  readonly name: string;
  readonly text: string;
}

/** The head of every page: title, the sources that it is made from, and a sentence or two. */
export function head(title: string, sources: readonly string[], introduction: string): string {
  const links = sources.map((path) => `[${path}](../../${path})`);
  return [
    `# ${title}`,
    "",
    introduction,
    "",
    `\`npm run docs:reference\` makes this page of ${links.join(", ")}.`,
    "",
  ].join("\n");
}

/** A table; an empty text without rows. Cells are Markdown without line breaks. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`.replaceAll(/\|\s+(?=\|)/g, "| ");
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line), ""].join("\n");
}

function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

/** A span of code; nothing for an empty text. */
export function code(text: string): string {
  if (text === "") return "";
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

export function codes(texts: Iterable<string>): string {
  return [...texts].map(code).join(", ");
}

/** Plain text as Markdown: spans of code stay, and a `<` of the text begins no element. */
export function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "\\<").replaceAll("*", "\\*")))
    .join("");
}

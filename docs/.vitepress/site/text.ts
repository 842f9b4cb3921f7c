/* Markdown as the site, its search and its texts for machines read it. */

/** The anchor that GitHub gives a heading, without the number that tells equal ones apart. */
export function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** A heading with the text up to the next one. */
export interface Section {
  /** 1 for the title. */
  readonly level: number;
  readonly heading: string;
  readonly anchor: string;
  /** Markdown. */
  readonly text: string;
}

/** Splits a document at its headings. Text before the first one belongs to none and is left out. */
export function sectionsOf(markdown: string): Section[] {
  const sections: { level: number; heading: string; anchor: string; text: string }[] = [];
  const counts = new Map<string, number>();
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (/^ *(?:```|~~~)/.test(line)) isCode = !isCode;
    const match = isCode ? null : /^(#{1,6}) +(.+?) *$/.exec(line);
    if (match === null) {
      const last = sections.at(-1);
      if (last !== undefined) last.text += `${line}\n`;
      continue;
    }
    const [, marks = "", heading = ""] = match;
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    sections.push({
      level: marks.length,
      heading: plain(heading),
      anchor: count === 0 ? slug : `${slug}-${count}`,
      text: "",
    });
  }
  return sections;
}

/** Markdown without its marks: what a reader sees, code included. */
export function plain(markdown: string): string {
  return markdown
    .replaceAll(/^ *(?:```|~~~).*$/gm, "")
    .replaceAll(/<[a-z/!][^>]*>/g, " ")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^[ >]*(?:#{1,6}|[-*]|\d+\.) +/gm, "")
    .replaceAll(/^\|[ |:-]+\|$/gm, "")
    .replaceAll(/[`|]|\*\*/g, " ")
    .replaceAll(/ +/g, " ")
    .trim();
}

/** The title of a document: its first heading. */
export function titleOf(markdown: string): string {
  return sectionsOf(markdown)[0]?.heading ?? "";
}

/** Code blocks name the way they are checked after their language. Readers of the site need the language alone. */
export function withoutMarks(markdown: string): string {
  return markdown.replaceAll(/^( *(?:```|~~~)[\w-]*)[ \t].*$/gm, "$1");
}

/** Replaces the target of each link outside code, pictures and `srcset` included. */
export function withLinks(markdown: string, replace: (target: string) => string): string {
  const code = /(^ *```[\s\S]*?^ *```|`[^`\n]*`)/gm;
  return markdown
    .split(code)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll(/\]\(([^)\s]+)\)/g, (_all, target: string) => `](${replace(target)})`)
            .replaceAll(
              /\b(src|srcset)="([^"]+)"/g,
              (_all, name: string, target: string) => `${name}="${replace(target)}"`,
            ),
    )
    .join("");
}

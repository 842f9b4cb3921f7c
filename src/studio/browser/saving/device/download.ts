import { saveFile } from "../../frame/save-file.ts";
import type { Texts } from "../../ports.ts";

/** Saves a text as a file of Markdown, without asking the server. */
export function download({ title, body }: Texts): void {
  const text =
    title === ""
      ? body
      : `# ${title}

${body}`;
  saveFile(`${fileName(title)}.md`, text, "text/markdown;charset=utf-8");
}

/** A name that every system takes, from the letters and digits of a title. */
export function fileName(title: string): string {
  const name = title
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return [...name].slice(0, 60).join("") || "untitled";
}

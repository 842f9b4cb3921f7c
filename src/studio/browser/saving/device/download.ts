import type { Texts } from "../../ports.ts";

/** Saves a text as a file of Markdown, without asking the server. */
export function download({ title, body }: Texts): void {
  const text = title === "" ? body : `# ${title}\n\n${body}`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/markdown;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${fileName(title)}.md`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name that every system takes, from the letters and digits of a title. */
export function fileName(title: string): string {
  const name = title
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return [...name].slice(0, 60).join("") || "untitled";
}

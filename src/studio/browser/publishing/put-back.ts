import type { Studio, Texts, Writing } from "../ports.ts";
import { isSame } from "../saving/device/texts.ts";

/** Writes an earlier text again. On another page than the one that was left, the history has it. */
export function putBack({ notify }: Pick<Studio, "notify">, writing: Writing, texts: Texts): void {
  writing.change(texts);
  if (!isSame(writing.texts.value, texts)) notify("Your earlier text is in the history of the post. Restore it there.");
}

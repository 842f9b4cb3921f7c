import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Writing } from "../ports.ts";
import { followText } from "./follow-text.ts";
import type { Read } from "./language/reading.ts";

interface WordCountProps {
  readonly writing: Writing;
  /** Filled with what was read. */
  readonly read: Signal<Read | null>;
}

/** Words by the server's own rule, and how long they take to read. */
export function WordCount({ writing, read }: WordCountProps) {
  useEffect(() => followText(writing, read), [writing, read]);
  if (read.value === null) return null;
  const { words, minutes } = read.value;
  const count = new Intl.NumberFormat("en").format(words);
  return (
    <p class="writing-count">
      {words === 1 ? "1 word" : `${count} words`}
      {words > 0 && <span class="writing-minutes"> · {minutes} min to read</span>}
    </p>
  );
}

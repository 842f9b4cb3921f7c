import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Writing } from "../../ports.ts";
import type { Read } from "../language/reading.ts";
import { guessLanguage } from "./guess-language.ts";
import { isTag, keepLanguage, keptLanguage } from "./kept-languages.ts";

/** The language of one text, as a BCP 47 tag. */
export interface TextLanguage {
  readonly current: ReadonlySignal<string>;
  /** By the text itself, or the browser's own while the text is too short. */
  readonly guessed: ReadonlySignal<string>;
  /** null: goes by the text. */
  readonly chosen: ReadonlySignal<string | null>;
  choose(language: string | null): void;
  close(): void;
}

export function openTextLanguage(writing: Writing, read: ReadonlySignal<Read | null>): TextLanguage {
  const guessed = signal(isTag(navigator.language) ? navigator.language : "en");
  const chosen = signal(keptLanguage(writing.id.peek()));
  const current = signal(chosen.peek() ?? guessed.peek());
  // Guessed once: a quotation in another language, typed later, changes nothing.
  let isGuessed = false;
  const stopReading = effect(() => {
    const text = read.value?.text;
    const language = isGuessed || text === undefined ? null : guessLanguage(text);
    if (language === null) return;
    isGuessed = true;
    guessed.value = language;
  });
  const stopKeeping = effect(() => {
    const id = writing.id.value;
    if (id !== null) keepLanguage(id, chosen.value);
  });
  const stopChoosing = effect(() => {
    current.value = chosen.value ?? guessed.value;
  });
  return {
    current,
    guessed,
    chosen,
    choose(language) {
      chosen.value = language;
    },
    close() {
      stopReading();
      stopKeeping();
      stopChoosing();
    },
  };
}

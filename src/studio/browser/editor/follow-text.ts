import { effect, type Signal } from "@preact/signals";
import { loadPart } from "../frame/document/parts.ts";
import type { Writing } from "../ports.ts";
import type { Read, Reading } from "./language/reading.ts";
import { withLf } from "./text/line-endings.ts";

/** Milliseconds after the last key. */
const PAUSE = 400;

/** Reads the text when the person pauses, in the browser's idle time. @returns how to end it */
export function followText(writing: Writing, read: Signal<Read | null>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let last: string | null = null;
  let reading: Reading | null = null;
  async function take(): Promise<void> {
    const { body } = writing.texts.peek();
    if (isOver || body === last) return;
    last = body;
    if (reading === null) {
      const part = await loadPart("editor/language/reading", () => import("./language/reading.ts"));
      reading = new part.Reading();
    }
    const result = await reading.read(withLf(body), idle);
    if (result !== null && !isOver) read.value = result;
  }
  const stop = effect(() => {
    void writing.texts.value;
    clearTimeout(timer);
    timer = setTimeout(
      () => void take().catch(() => {}) /* without the part nothing is counted until the next pause */,
      last === null ? 0 : PAUSE,
    );
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop();
  };
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 16);
  });
}

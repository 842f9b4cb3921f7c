import { useComputed } from "@preact/signals";
import type { Writing } from "../ports.ts";
import { hasUnappliedChanges } from "../saving/device/texts.ts";

/** Whether the text differs from what the post has. Renders again when that changes, and not with each key. */
export function useHasChanges({ applied, texts }: Writing): boolean {
  return useComputed(() => applied.value !== null && hasUnappliedChanges(texts.value, applied.value)).value;
}

import { preferences } from "./preferences.ts";

/**
 * Whether a key without others may be a shortcut: not where text is typed or composed, not in a dialog, and not where the
 * person switched such shortcuts off (WCAG 2.2, success criterion 2.1.4).
 */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!preferences.singleKeys.peek() || document.querySelector("dialog[open]") !== null) return false;
  const target = event.target as HTMLElement | null;
  return (
    target?.closest("input:not([type='checkbox'], [type='radio']), textarea, select, [contenteditable='true']") == null
  );
}

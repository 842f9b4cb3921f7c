import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { offerActions } from "../frame/page-actions.ts";
import type { Writing } from "../ports.ts";
import { isApple } from "./text/commands.ts";
import type { Surface } from "./text/surface.ts";

/** Everything but the text and the state line is away. It lasts as long as the page. */
export interface FocusMode {
  readonly isOn: ReadonlySignal<boolean>;
  leave(): void;
  close(): void;
}

export function openFocusMode(writing: Writing, surface: ReadonlySignal<Surface | null>): FocusMode {
  const isOn = signal(false);
  const stop = new AbortController();
  const set = (on: boolean) => {
    if (on === isOn.peek()) return;
    isOn.value = on;
    // Elsewhere the focus would be on something that is away.
    if (document.activeElement?.closest("#writing") === null) surface.peek()?.focus();
  };
  addEventListener(
    "keydown",
    (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || writing.isComposing.value) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (isFocusKey(event)) set(!isOn.peek());
      else if (event.key === "Escape" && isOn.peek()) set(false);
      else return;
      event.preventDefault();
    },
    { signal: stop.signal },
  );
  const stopOffering = effect(() =>
    offerActions([{ name: isOn.value ? "Leave focus mode" : "Focus mode", run: () => set(!isOn.peek()) }]),
  );
  return {
    isOn,
    leave: () => set(false),
    close() {
      stop.abort();
      stopOffering();
    },
  };
}

function isFocusKey(event: KeyboardEvent): boolean {
  const isMod = isApple() ? event.metaKey : event.ctrlKey;
  return isMod && event.shiftKey && !event.altKey && event.code === "KeyF";
}

import { effect, type Signal, signal } from "@preact/signals";

export type Appearance = "system" | "light" | "dark";

/** Preferences of a person in this browser. They are neither secret nor text, so localStorage keeps them. */
export interface Preferences {
  readonly appearance: Signal<Appearance>;
  /** Whether single keys, such as `x`, are shortcuts (WCAG 2.2, success criterion 2.1.4). */
  readonly singleKeys: Signal<boolean>;
  /** Whether texts are written in a plain field instead of the editor. */
  readonly plainEditor: Signal<boolean>;
}

/** The page's own script reads this name too, before the first paint (src/studio/page.ts). */
const APPEARANCE = "studio.appearance";

export const preferences: Preferences = {
  appearance: kept<Appearance>(APPEARANCE, "system", (text) => (text === "light" || text === "dark" ? text : "system")),
  singleKeys: kept("studio.single-keys", true, (text) => text !== "false"),
  plainEditor: kept("studio.plain-editor", false, (text) => text === "true"),
};

/** Gives the page the chosen appearance from now on. */
export function applyAppearance(): void {
  effect(() => {
    const { classList } = document.documentElement;
    for (const name of ["light", "dark"] as const) classList.toggle(name, preferences.appearance.value === name);
  });
}

function kept<Value>(name: string, usual: Value, read: (text: string) => Value): Signal<Value> {
  const value = signal(usual);
  const load = () => {
    const text = stored(() => localStorage.getItem(name));
    value.value = text === null ? usual : read(text);
  };
  load();
  if (typeof addEventListener === "function")
    addEventListener("storage", (event: StorageEvent) => {
      if (event.key === name) load();
    });
  let isFirst = true;
  effect(() => {
    const text = String(value.value);
    if (!isFirst)
      stored(() => (value.value === usual ? localStorage.removeItem(name) : localStorage.setItem(name, text)));
    isFirst = false;
  });
  return value;
}

/** Storage may be forbidden; a choice then lasts as long as the page. */
function stored<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isPlainKey } from "../frame/document/keys.ts";
import type { Studio } from "../ports.ts";
import { type Selection, toggled } from "./selection.ts";

interface ListKeys {
  readonly selection: Signal<Selection>;
  readonly ids: readonly string[];
  readonly studio: Pick<Studio, "go">;
}

/** `j` and `k` go through the rows, `x` selects one, `n` begins a post, `/` searches. */
export function useListKeys({ selection, ids, studio }: ListKeys): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is the same in every rendering
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isPlainKey(event)) return;
      const row = document.activeElement?.closest<HTMLElement>("[data-post]")?.dataset.post;
      const at = row === undefined ? -1 : ids.indexOf(row);
      const goTo = (index: number) => document.getElementById(`post-${ids[index]}`)?.focus();
      const key = event.key.toLowerCase(); // Caps Lock may be on
      if (key === "j") goTo(Math.min(ids.length - 1, at + 1));
      else if (key === "k") goTo(Math.max(0, at - 1));
      else if (key === "x" && row !== undefined) selection.value = toggled(selection.peek(), row, ids, event.shiftKey);
      else if (key === "n") studio.go("/posts/new");
      else if (key === "/") document.getElementById("search-posts")?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [ids.join()]);
}

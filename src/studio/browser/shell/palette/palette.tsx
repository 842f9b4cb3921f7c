import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { Dialog } from "../../frame/dialog.tsx";
import { Highlight } from "../../frame/text/highlight.tsx";
import type { OpenStudio } from "../program/start.ts";
import { fitting, type PaletteEntry, paletteEntries } from "./entries.ts";
import { administrationOf, openPaletteSearch } from "./search.ts";
import "./palette.css";

interface PaletteProps {
  readonly studio: OpenStudio;
  /** Pages that the person may open. */
  readonly pages: readonly { readonly name: string; readonly path: string }[];
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** Finds posts, pages and actions by typing (combobox of the ARIA Authoring Practices). */
export function Palette({ studio, pages, onClose, onShortcuts }: PaletteProps) {
  const typed = useSignal("");
  const chosen = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const search = useMemo(() => openPaletteSearch(studio.api, administrationOf(studio)), [studio]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback does the same in every rendering
  const actions = useMemo(() => paletteEntries(studio, pages, onShortcuts), [studio]);
  useEffect(() => search.close, [search]);

  const entries: readonly PaletteEntry[] = [...fitting(actions, typed.value), ...search.found.value];
  const at = Math.min(chosen.value, entries.length - 1);
  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    // After the dialog has given the focus back.
    setTimeout(() => entry.run(studio));
  };
  const move = (step: number) => {
    chosen.value = (at + step + entries.length) % Math.max(1, entries.length);
    list.current?.querySelectorAll('[role="option"]')[chosen.value]?.scrollIntoView({ block: "nearest" });
  };

  return (
    <Dialog title="Search and commands" onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-label="Search posts, pages and actions"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          autocomplete="off"
          spellcheck={false}
          autofocus
          placeholder="Title or words of a post, or an action"
          value={typed.value}
          onInput={({ currentTarget, isComposing }) => {
            typed.value = currentTarget.value;
            chosen.value = 0;
            if (!isComposing) search.find(currentTarget.value);
          }}
          onCompositionEnd={({ currentTarget }) => search.find(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            if (event.key === "ArrowDown") move(1);
            else if (event.key === "ArrowUp") move(-1);
            else if (event.key === "Enter") run(entries[at]);
            else return;
            event.preventDefault();
          }}
        />
        <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results">
          {entries.map((entry, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the option
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
            <div
              key={entry.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerMove={() => {
                chosen.value = index;
              }}
              onClick={() => run(entry)}
            >
              <span class="option-name" dir="auto">
                {entry.name}
              </span>
              <span class="muted small">{entry.kind}</span>
              {entry.highlight !== undefined && (
                <span class="found" dir="auto">
                  <Highlight html={entry.highlight} />
                </span>
              )}
            </div>
          ))}
        </div>
        <p class="muted small" role="status">
          {search.failure.value ?? (entries.length === 0 ? "Nothing found." : "")}
        </p>
      </div>
    </Dialog>
  );
}

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Writing } from "../../ports.ts";
import type { Note } from "../language/notes.ts";
import type { Read } from "../language/reading.ts";
import { mapPlace } from "../text/edit.ts";
import { withLf } from "../text/line-endings.ts";
import { smallestEdits } from "../text/smallest-edits.ts";
import type { Surface } from "../text/surface.ts";

/** A note that the status line says. */
interface SaidNote {
  readonly note: Note;
  /** From 1. */
  readonly number: number;
  readonly count: number;
}

/** F8 goes to the next note, Shift+F8 to the one before. */
export interface NoteWalk {
  /** `none`: the person asked, and there is no note. */
  readonly said: ReadonlySignal<SaidNote | "none" | null>;
  /** Goes to a note and says it. */
  go(note: Note): void;
  /** Says a note of the line between two places, as they are in the text now: another one each time. */
  sayWithin(from: number, to: number): void;
  hush(): void;
  close(): void;
}

interface WalkParts {
  readonly writing: Writing;
  readonly surface: ReadonlySignal<Surface | null>;
  readonly read: ReadonlySignal<Read | null>;
}

export function openNoteWalk({ writing, surface, read }: WalkParts): NoteWalk {
  const said: Signal<SaidNote | "none" | null> = signal(null);
  const stop = new AbortController();
  let before = read.peek();

  /** Places of notes in the text as it is now: the person may have typed since it was read. */
  const placesNow = (): readonly number[] => {
    const { text, notes } = read.peek() ?? { text: "", notes: [] };
    const edits = smallestEdits(text, withLf(surface.peek()?.text() ?? text));
    return notes.map(({ from }) => mapPlace(from, edits, -1));
  };
  const say = (index: number) => {
    const { notes } = read.peek() ?? { notes: [] };
    const note = notes[index];
    said.value = note === undefined ? null : { note, number: index + 1, count: notes.length };
  };
  const goTo = (index: number, places = placesNow()) => {
    const place = places[index];
    if (place !== undefined) surface.peek()?.focus(place);
    say(index);
  };
  const saidIndex = () => {
    const now = said.peek();
    return now === null || now === "none" ? -1 : now.number - 1;
  };
  const step = (direction: 1 | -1) => {
    const places = placesNow();
    if (places.length === 0) {
      said.value = "none";
      return;
    }
    const cursor = surface.peek()?.place().selection.head ?? 0;
    const at = saidIndex();
    const isAtSaid = places[at] === cursor;
    const next =
      direction > 0
        ? places.findIndex((place, index) => (isAtSaid ? index > at : place >= cursor))
        : places.findLastIndex((place, index) => (isAtSaid ? index < at : place <= cursor));
    goTo(next >= 0 ? next : direction > 0 ? 0 : places.length - 1, places);
  };

  addEventListener(
    "keydown",
    (event: KeyboardEvent) => {
      if (event.key !== "F8" || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (event.isComposing || event.keyCode === 229 || writing.isComposing.value) return;
      if (read.peek() === null || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    },
    { signal: stop.signal },
  );
  // A note that is mended is no longer said, and others get another number.
  const stopFollowing = effect(() => {
    const now = read.value;
    const earlier = said.peek();
    if (now !== null && before !== null && earlier !== null && now !== before) {
      const edits = earlier === "none" ? [] : smallestEdits(before.text, now.text);
      const place = earlier === "none" ? -1 : mapPlace(earlier.note.from, edits, -1);
      say(now.notes.findIndex(({ kind, from }) => earlier !== "none" && kind === earlier.note.kind && from === place));
    }
    before = now;
  });
  return {
    said,
    go: (note) => goTo(read.peek()?.notes.indexOf(note) ?? -1),
    sayWithin(from, to) {
      const here = placesNow().flatMap((place, index) => (place >= from && place <= to ? [index] : []));
      const next = here.find((index) => index > saidIndex()) ?? here[0];
      if (next !== undefined) say(next);
    },
    hush() {
      said.value = null;
    },
    close() {
      stop.abort();
      stopFollowing();
    },
  };
}

import { effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { styleNonce } from "../frame/document/nonce.ts";
import { loadPart } from "../frame/document/parts.ts";
import { preferences } from "../frame/document/preferences.ts";
import type { Studio, Writing } from "../ports.ts";
import type { Read } from "./language/reading.ts";
import type { NoteWalk } from "./notes/note-walk.ts";
import { handlePaste } from "./paste/paste.ts";
import { openPlain } from "./plain/surface.ts";
import type { Surface, SurfaceHost, SurfaceStart } from "./text/surface.ts";

interface BodyProps {
  readonly studio: Studio;
  readonly writing: Writing;
  /** Given the surface that people write in, whichever it is. */
  readonly surface: Signal<Surface | null>;
  readonly read: ReadonlySignal<Read | null>;
  readonly walk: NoteWalk;
  /** Whether the text is hidden by something that stands instead of it. */
  readonly isHidden: boolean;
}

const { plainEditor } = preferences;

/** Whether the editor beyond the plain one could not be loaded. Setting it to false tries again. */
export const isChunkMissing = signal(false);

const ATTRIBUTES = {
  "aria-label": "Text",
  "aria-describedby": "writing-state",
  spellcheck: "true",
  autocorrect: "on",
  autocapitalize: "sentences",
};
/** Code units from which the plain field scrolls within itself: a field that grows is laid out whole with each key. */
const LONG = 100_000;
/** Milliseconds that a long text waits for CodeMirror: the browser lays it out in a plain field for longer. */
const PATIENCE = 1_000;

/** The text of the post: a textarea until CodeMirror is there, or for as long as the person wants one. */
export function Body({ studio, writing, surface, read, walk, isHidden }: BodyProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (field.current === null || holder.current === null) return undefined;
    return openBody({ studio, writing, surface, read, walk, field: field.current, holder: holder.current });
  }, [studio, writing, surface, read, walk]);
  return (
    <div class="writing-body" hidden={isHidden}>
      <textarea
        ref={field}
        class="writing-plain"
        rows={12}
        placeholder="Write here"
        aria-label={ATTRIBUTES["aria-label"]}
        aria-describedby={ATTRIBUTES["aria-describedby"]}
        spellcheck
        autocapitalize="sentences"
      />
      <div ref={holder} class="writing-rich" />
    </div>
  );
}

interface BodyParts extends Omit<BodyProps, "isHidden"> {
  readonly field: HTMLTextAreaElement;
  readonly holder: HTMLElement;
}

/** Opens the surface that the person wants, and another when they want another. @returns how to end it */
function openBody({ studio, writing, surface, read, walk, field, holder }: BodyParts): () => void {
  const earlier = writing.texts.peek().body;
  let isOver = false;
  let waiting: (() => void)[] = [];
  /** Nothing touches the text while an input method composes. */
  const whenIdle = (act: () => void) => {
    if (writing.isComposing.value) waiting.push(act);
    else act();
  };
  const host: SurfaceHost = {
    change: (body) => writing.change({ body }),
    compose(isComposing) {
      writing.isComposing.value = isComposing;
      if (isComposing) return;
      const acts = waiting;
      waiting = [];
      for (const act of acts) act();
    },
    paste: (event) => surface.value !== null && handlePaste(event, surface.value, studio),
    drop: (event) => (event.dataTransfer?.files.length ?? 0) > 0,
    note: (from, to) => walk.sayWithin(from, to),
  };
  const startOf = (before: Surface | null): SurfaceStart => ({
    text: before?.text() ?? writing.texts.peek().body,
    isReadOnly: writing.isReadOnly.peek(),
    ...(before === null ? {} : { place: before.place() }),
  });
  const show = (open: (start: SurfaceStart) => Surface, isPlain: boolean) => {
    const before = surface.peek();
    const start = startOf(before);
    before?.close();
    field.hidden = !isPlain;
    holder.hidden = isPlain;
    surface.value = open(start);
  };
  const showPlain = () => {
    field.classList.toggle("is-long", writing.texts.peek().body.length > LONG);
    show((start) => openPlain(field, host, start), true);
  };
  async function showRich(): Promise<void> {
    try {
      const { openCodeMirror } = await loadPart("editor/code-mirror/surface", () => import("./code-mirror/surface.ts"));
      whenIdle(() => {
        if (isOver || plainEditor.peek()) return;
        const options = { nonce: styleNonce(), attributes: ATTRIBUTES, earlier };
        show((start) => openCodeMirror(holder, host, { ...start, ...options }), false);
      });
    } catch {
      if (!isOver) isChunkMissing.value = true;
    }
  }
  const late = setTimeout(() => whenIdle(() => surface.peek() === null && showPlain()), PATIENCE);
  if (earlier.length <= LONG || plainEditor.peek()) showPlain();
  else field.hidden = true;
  isChunkMissing.value = false;
  const stopChoosing = effect(() => {
    const isRich = !plainEditor.value && !isChunkMissing.value;
    untracked(() => {
      if (isRich) void showRich();
      else if (surface.peek()?.field !== field) whenIdle(showPlain);
    });
  });
  const stopLocking = writing.isReadOnly.subscribe((isReadOnly) => surface.peek()?.setReadOnly(isReadOnly));
  const stopReplacing = writing.onReplaced(() => whenIdle(() => surface.peek()?.replace(writing.texts.peek().body)));
  const stopNoting = effect(() => {
    const isOpen = surface.value !== null;
    const now = read.value;
    if (isOpen && now !== null) whenIdle(() => surface.peek()?.showNotes?.(now));
  });
  return () => {
    isOver = true;
    stopNoting();
    clearTimeout(late);
    stopChoosing();
    stopLocking();
    stopReplacing();
    surface.peek()?.close();
    surface.value = null;
  };
}

import { COMMANDS, type Command } from "../text/commands.ts";
import { applyEdits, type Edit, lineEnd, lineStart, mapPlace, type Outcome, type Selection } from "../text/edit.ts";
import { LineEndings, withLf } from "../text/line-endings.ts";
import { continueLine, isAtItemStart } from "../text/lines.ts";
import type { Passage } from "../text/marks.ts";
import { smallestEdit, smallestEdits } from "../text/smallest-edits.ts";
import type { Surface, SurfaceHost, SurfaceStart } from "../text/surface.ts";
import { isInFence } from "./code-block.ts";
import { commandFor } from "./keys.ts";
import { PlainHistory, type PlainText } from "./plain-history.ts";

/** Opens the plain editor on a textarea that stands in the page. It has undo of its own. */
export function openPlain(field: HTMLTextAreaElement, host: SurfaceHost, start: SurfaceStart): Surface {
  let now: PlainText = split(start.earlier ?? start.text);
  let chosen: Selection = { anchor: 0, head: 0 };
  let leavesOnTab = false;
  const steps = new PlainHistory();
  const stop = new AbortController();
  field.value = now.text;
  field.readOnly = start.isReadOnly;

  const raw = () => now.endings.join(now.text);
  const show = ({ text, endings, selection }: PlainText & { readonly selection: Selection }) => {
    const top = field.scrollTop;
    now = { text, endings };
    if (field.value !== text) field.value = text;
    select(field, selection);
    field.scrollTop = top;
    chosen = selection;
    field.dispatchEvent(new Event("resized"));
  };
  /** Writes edits into the field as one step. */
  const edit = (edits: readonly Edit[], selection: Selection, { endings }: { endings?: LineEndings } = {}) => {
    const before = now;
    const after = { text: applyEdits(now.text, edits), endings: endings ?? now.endings.after(edits) };
    steps.add(
      { before, after, edits, selectionBefore: selectionOf(field), selectionAfter: selection },
      false,
      Date.now(),
    );
    show({ ...after, selection });
  };
  const perform = (outcome: Outcome | null, offset: number): boolean => {
    if (outcome === null || field.readOnly) return false;
    const move = (edit: Edit) => ({ ...edit, from: edit.from + offset, to: edit.to + offset });
    const { anchor, head } = outcome.selection;
    edit(outcome.edits.map(move), { anchor: anchor + offset, head: head + offset });
    host.change(raw());
    return true;
  };
  const goTo = (state: (PlainText & { readonly selection: Selection }) | null) => {
    if (state === null || field.readOnly) return;
    show(state);
    host.change(raw());
  };
  if (start.earlier !== undefined && start.earlier !== start.text) takeOver(start.text);
  if (start.place !== undefined) select(field, start.place.selection);
  if (start.place?.hasFocus === true) field.focus({ preventScroll: true });

  function takeOver(text: string): void {
    const next = split(text);
    const edits = smallestEdits(now.text, next.text);
    const { anchor, head } = selectionOf(field);
    edit(edits, { anchor: mapPlace(anchor, edits, -1), head: mapPlace(head, edits, -1) }, { endings: next.endings });
  }

  const on = <K extends keyof HTMLElementEventMap>(name: K, listener: (event: HTMLElementEventMap[K]) => void) =>
    field.addEventListener(name, listener, { signal: stop.signal });

  on("input", () => {
    const text = field.value;
    const change = smallestEdit(now.text, text, field.selectionEnd);
    if (change === null) return;
    const after = { text, endings: now.endings.after([change]) };
    const selectionAfter = selectionOf(field);
    steps.add({ before: now, after, edits: [change], selectionBefore: chosen, selectionAfter }, true, Date.now());
    now = after;
    chosen = selectionAfter;
    host.change(raw());
  });
  on("beforeinput", (event) => {
    if (!event.isComposing) chosen = selectionOf(field);
    if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return;
    event.preventDefault();
    goTo(event.inputType === "historyUndo" ? steps.undo() : steps.redo());
  });
  on("compositionstart", () => host.compose(true));
  on("compositionend", () => setTimeout(() => host.compose(false), 0));
  on("paste", (event) => {
    if (host.paste(event)) event.preventDefault();
  });
  on("drop", (event) => {
    if (host.drop(event)) event.preventDefault();
  });
  on("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (answer(event)) event.preventDefault();
    if (event.key !== "Shift") leavesOnTab = event.key === "Escape";
  });

  function answer(event: KeyboardEvent): boolean {
    const passage = passageOf(field, now.text);
    const named = commandFor(event, passage);
    if (named === "undo" || named === "redo") {
      goTo(named === "undo" ? steps.undo() : steps.redo());
      return true;
    }
    if (named !== null) return perform(named.apply(passage), passage.start);
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key !== "Enter" && event.key !== "Tab") return false;
    if (event.key === "Enter" && event.shiftKey) return false;
    if (isInFence(now.text, field.selectionStart)) return false;
    if (event.key === "Enter") return perform(continueLine(passage), passage.start);
    if (leavesOnTab || !isAtItemStart(passage)) return false;
    const command: Command = event.shiftKey ? COMMANDS.outdent : COMMANDS.indent;
    return perform(command.apply(passage), passage.start);
  }

  return {
    field,
    text: raw,
    place: () => ({ selection: selectionOf(field), hasFocus: field.ownerDocument.activeElement === field }),
    focus(at) {
      field.focus();
      if (at === undefined) return;
      const place = at === "start" ? 0 : at === "end" ? now.text.length : at;
      select(field, { anchor: place, head: place });
    },
    run(command: Command) {
      const passage = passageOf(field, now.text);
      perform(command.apply(passage), passage.start);
    },
    insert(inserted) {
      const { selectionStart: from, selectionEnd: to } = field;
      const change = { from, to, insert: withLf(inserted) };
      const end = from + change.insert.length;
      edit([change], { anchor: end, head: end });
      host.change(raw());
      return change;
    },
    replace: takeOver,
    undo: () => goTo(steps.undo()),
    redo: () => goTo(steps.redo()),
    setReadOnly(isReadOnly) {
      field.readOnly = isReadOnly;
    },
    close: () => stop.abort(),
  };
}

function split(raw: string): PlainText {
  return LineEndings.split(raw);
}

function selectionOf(field: HTMLTextAreaElement): Selection {
  const { selectionStart, selectionEnd, selectionDirection } = field;
  return selectionDirection === "backward"
    ? { anchor: selectionEnd, head: selectionStart }
    : { anchor: selectionStart, head: selectionEnd };
}

function select(field: HTMLTextAreaElement, { anchor, head }: Selection): void {
  field.setSelectionRange(Math.min(anchor, head), Math.max(anchor, head), head < anchor ? "backward" : "forward");
}

/** The lines of the selection, and where they begin. */
function passageOf({ selectionStart, selectionEnd }: HTMLTextAreaElement, text: string): Passage & { start: number } {
  const start = lineStart(text, selectionStart);
  const end = lineEnd(text, selectionEnd);
  return { text: text.slice(start, end), from: selectionStart - start, to: selectionEnd - start, start };
}

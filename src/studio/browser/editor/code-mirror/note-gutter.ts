import { type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { LineNote } from "../text/surface.ts";

/** Beside a line: a button for pointers and readers, which F8 makes needless for keys. */
class LineMark extends GutterMarker {
  readonly sentences: string;
  override readonly elementClass: string;
  constructor(sentences: string, line: string) {
    super();
    this.sentences = sentences;
    this.elementClass = line.startsWith("#") ? "is-heading" : "";
  }
  override eq(other: LineMark): boolean {
    return this.sentences === other.sentences && this.elementClass === other.elementClass;
  }
  override toDOM(): HTMLElement {
    const mark = document.createElement("button");
    mark.type = "button";
    mark.tabIndex = -1;
    mark.className = "note-mark";
    mark.title = this.sentences;
    mark.setAttribute("aria-label", `Note: ${this.sentences}`);
    return mark;
  }
}

const setMarks = StateEffect.define<RangeSet<LineMark>>();

const marks = StateField.define<RangeSet<LineMark>>({
  create: () => RangeSet.empty,
  update(before, { changes, effects }) {
    let now = before.map(changes);
    for (const effect of effects) if (effect.is(setMarks)) now = effect.value;
    return now;
  },
});

/** Marks in the margin after the text. @param say told of the line of a mark that is pressed */
export function noteGutter(say: (from: number, to: number) => void): Extension {
  return [
    marks,
    gutter({
      class: "note-gutter",
      side: "after",
      markers: ({ state }) => state.field(marks),
      domEventHandlers: {
        // The selection in the text stays.
        mousedown: () => true,
        click(_view, { from, to }, { target }) {
          if ((target as Element).className === "note-mark") say(from, to);
          return true;
        },
      },
    }),
  ];
}

/** @param notes of exactly the text that the view has */
export function showNotes(view: EditorView, notes: readonly LineNote[]): void {
  const { state } = view;
  const sentences = new Map<number, string>();
  for (const { from, sentence } of notes) {
    const line = state.doc.lineAt(Math.min(from, state.doc.length)).from;
    const earlier = sentences.get(line);
    if (earlier?.includes(sentence) === true) continue;
    sentences.set(line, earlier === undefined ? sentence : `${earlier} ${sentence}`);
  }
  const next = RangeSet.of(
    [...sentences].map(([line, text]) => new LineMark(text, state.doc.lineAt(line).text).range(line)),
  );
  if (!RangeSet.eq([state.field(marks)], [next])) view.dispatch({ effects: setMarks.of(next) });
  // Hidden from readers as line numbers are; these marks say something.
  view.scrollDOM.querySelector(".cm-gutters-after")?.removeAttribute("aria-hidden");
}

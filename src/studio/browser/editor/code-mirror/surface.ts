import { history, isolateHistory, redo, undo } from "@codemirror/commands";
import { bidiIsolates, defineLanguageFacet, Language } from "@codemirror/language";
import { Annotation, Compartment, EditorState, type Extension, Transaction } from "@codemirror/state";
import { EditorView, highlightActiveLine } from "@codemirror/view";
import { serverMarkdown } from "../language/server-markdown.ts";
import type { Command } from "../text/commands.ts";
import type { Edit } from "../text/edit.ts";
import { LineEndings, withLf } from "../text/line-endings.ts";
import { smallestEdits } from "../text/smallest-edits.ts";
import type { Surface, SurfaceHost, SurfaceStart } from "../text/surface.ts";
import { keys, runCommand } from "./keys.ts";
import { keepLineEndings, lineEndings, setLineEndings } from "./line-endings-field.ts";
import { noteGutter, showNotes } from "./note-gutter.ts";
import { typography } from "./typography.ts";

/** Marks a text that came from elsewhere, which nobody has to be told of. */
const foreign = Annotation.define<true>();
/** Milliseconds after the end of a composition within which the browser's last changes come. */
const SETTLING = 60;
/** Code units up to which joining the text costs less than a tenth of a frame. */
const PROMPT = 200_000;
/** Milliseconds between two times that a longer text is joined. */
const SELDOM = 250;

interface CodeMirrorStart extends SurfaceStart {
  /** For the style element (CSP). */
  readonly nonce: string;
  /** Attributes of the element that people write in. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Opens the CodeMirror surface. The document has LF alone, so that CR never stands at the end of a line. */
export function openCodeMirror(parent: HTMLElement, host: SurfaceHost, start: CodeMirrorStart): Surface {
  const { text, endings } = LineEndings.split(start.earlier ?? start.text);
  const readOnly = new Compartment();
  const teller = openTeller(() => rawText(view.state), host);
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      keepLineEndings,
      lineEndings.init(() => endings),
      history(),
      keys,
      new Language(defineLanguageFacet(), serverMarkdown, [], "markdown").extension,
      typography,
      bidiIsolates(),
      highlightActiveLine(),
      readOnly.of(EditorState.readOnly.of(start.isReadOnly)),
      EditorView.cspNonce.of(start.nonce),
      EditorView.contentAttributes.of({ ...start.attributes }),
      EditorView.clipboardInputFilter.of(withLf),
      EditorView.editorAttributes.of(({ state }) => ({ class: state.doc.length === 0 ? "is-empty" : "" })),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        if (docChanged && !transactions.every((transaction) => transaction.annotation(foreign)))
          teller.tell(state.doc.length);
      }),
      noteGutter((from, to) => host.note(from, to)),
      handlers(host),
    ],
  });
  if (start.earlier !== undefined && start.earlier !== start.text) replace(view, start.text);
  if (start.place !== undefined) {
    view.dispatch({ selection: start.place.selection });
    if (start.place.hasFocus) view.focus();
  }
  return {
    field: view.contentDOM,
    text: () => rawText(view.state),
    place() {
      const { anchor, head } = view.state.selection.main;
      return { selection: { anchor, head }, hasFocus: view.hasFocus };
    },
    focus(at) {
      view.focus();
      if (at === undefined) return;
      const place = at === "start" ? 0 : at === "end" ? view.state.doc.length : at;
      view.dispatch({
        selection: { anchor: place },
        effects: EditorView.scrollIntoView(place, { y: "nearest", yMargin: 96 }),
      });
    },
    run(command: Command) {
      runCommand(view, command);
    },
    insert(inserted: string): Edit {
      const { from, to } = view.state.selection.main;
      const edit = { from, to, insert: withLf(inserted) };
      view.dispatch({
        changes: edit,
        selection: { anchor: from + edit.insert.length },
        userEvent: "input.paste",
        scrollIntoView: true,
        annotations: isolateHistory.of("full"),
      });
      return edit;
    },
    replace: (raw) => replace(view, raw),
    undo: () => void undo(view),
    redo: () => void redo(view),
    showNotes({ text: read, notes }) {
      // A text that was typed meanwhile is read soon, and its marks moved with it until then.
      if (view.state.doc.length === read.length && view.state.doc.toString() === read) showNotes(view, notes);
    },
    setReadOnly(isReadOnly) {
      view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(isReadOnly)) });
    },
    close() {
      teller.close();
      view.destroy();
    },
  };
}

function rawText(state: EditorState): string {
  return state.field(lineEndings).join(state.doc.toString());
}

/** One undoable step with the smallest edits. Selection and scroll follow them. */
function replace(view: EditorView, raw: string): void {
  const { text, endings } = LineEndings.split(raw);
  view.dispatch({
    changes: smallestEdits(view.state.doc.toString(), text),
    effects: setLineEndings.of(endings),
    annotations: [isolateHistory.of("full"), foreign.of(true), Transaction.addToHistory.of(true)],
  });
}

function handlers(host: SurfaceHost): Extension {
  let settling: ReturnType<typeof setTimeout> | undefined;
  return [
    EditorView.domEventHandlers({
      paste: (event) => host.paste(event),
      drop: (event) => host.drop(event),
      beforeinput: typeOverSelection,
    }),
    EditorView.domEventObservers({
      compositionstart() {
        clearTimeout(settling);
        host.compose(true);
      },
      compositionend() {
        settling = setTimeout(() => host.compose(false), SETTLING);
      },
    }),
  ];
}

/**
 * Puts typed text in place of a selection. Left to itself, the browser keeps the look of the replaced text in an inline style,
 * which the page's policy blocks and reports.
 */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { state } = view;
  if (event.inputType !== "insertText" || event.data === null || event.isComposing || view.composing) return false;
  if (state.selection.main.empty || state.readOnly) return false;
  event.preventDefault();
  view.dispatch(state.replaceSelection(withLf(event.data)), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

/** After these events the page may have no other turn. */
const LEAVING = ["beforeunload", "pagehide", "visibilitychange", "blur"] as const;

/** Passes the text on: immediately while that is cheap, a few times a second otherwise, and always before the page goes. */
function openTeller(read: () => string, host: SurfaceHost) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    if (waiting === undefined) return;
    clearTimeout(waiting);
    waiting = undefined;
    host.change(read());
  };
  for (const event of LEAVING) addEventListener(event, flush, true);
  return {
    tell(length: number): void {
      waiting ??= setTimeout(flush, SELDOM);
      if (length <= PROMPT) flush();
    },
    close(): void {
      flush();
      for (const event of LEAVING) removeEventListener(event, flush, true);
    },
  };
}

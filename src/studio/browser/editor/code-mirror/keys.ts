import {
  historyKeymap,
  insertNewlineKeepIndent,
  isolateHistory,
  moveLineDown,
  moveLineUp,
  redo,
  standardKeymap,
} from "@codemirror/commands";
import { syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, Prec } from "@codemirror/state";
import { type EditorView, type KeyBinding, keymap } from "@codemirror/view";
import { loadPart } from "../../frame/document/parts.ts";
import { answersKey, COMMANDS, type Command } from "../text/commands.ts";
import type { Outcome } from "../text/edit.ts";
import { continueLine, isAtItemStart } from "../text/lines.ts";
import type { Passage } from "../text/marks.ts";

/** The lines of the selection, and where they begin. */
function passageOf(state: EditorState): Passage & { readonly start: number } {
  const { from, to } = state.selection.main;
  const start = state.doc.lineAt(from).from;
  const end = state.doc.lineAt(to).to;
  return { text: state.sliceDoc(start, end), from: from - start, to: to - start, start };
}

export function runCommand(view: EditorView, command: Command): boolean {
  if (view.state.readOnly) return false;
  const passage = passageOf(view.state);
  return dispatch(view, passage.start, command.apply(passage), true);
}

/** @param isStep whether the change is an undo step of its own, unlike typing */
function dispatch(view: EditorView, start: number, outcome: Outcome | null, isStep: boolean): boolean {
  if (outcome === null) return false;
  const { edits, selection } = outcome;
  view.dispatch({
    changes: edits.map(({ from, to, insert }) => ({ from: from + start, to: to + start, insert })),
    selection: { anchor: selection.anchor + start, head: selection.head + start },
    userEvent: "input",
    scrollIntoView: true,
    ...(isStep ? { annotations: isolateHistory.of("full") } : {}),
  });
  return true;
}

function isInCode(state: EditorState): boolean {
  const { from } = state.selection.main;
  for (let node = syntaxTree(state).resolveInner(from, -1); ; ) {
    if (node.name === "FencedCode" || node.name === "CodeBlock") return true;
    if (node.parent === null) return false;
    node = node.parent;
  }
}

function enter(view: EditorView): boolean {
  const passage = passageOf(view.state);
  const outcome = isInCode(view.state) ? null : continueLine(passage);
  return dispatch(view, passage.start, outcome, false) || insertNewlineKeepIndent(view);
}

/** The browser's own search sees only the lines that are drawn. */
function find(view: EditorView): boolean {
  void loadPart("editor/code-mirror/search", () => import("./search.ts")).then(
    ({ openSearch }) => openSearch(view),
    () => {}, // the next press tries again
  );
  return true;
}

/** Tab moves an item where its text begins, and leaves the editor anywhere else. After Esc it always leaves. */
function tab(command: Command): (view: EditorView) => boolean {
  return (view) => isAtItemStart(passageOf(view.state)) && !isInCode(view.state) && runCommand(view, command);
}

const commandKeys = Object.values(COMMANDS).flatMap((command: Command): KeyBinding[] =>
  command.key === null
    ? []
    : [{ key: command.key, run: (view) => answersKey(command, passageOf(view.state)) && runCommand(view, command) }],
);

export const keys: Extension = [
  Prec.high(
    keymap.of([
      ...commandKeys,
      { key: "Mod-Shift-z", run: redo },
      { key: "Mod-f", run: find },
      { key: "Enter", run: enter, shift: insertNewlineKeepIndent },
      { key: "Tab", run: tab(COMMANDS.indent), shift: tab(COMMANDS.outdent) },
    ]),
  ),
  keymap.of([
    { key: "Alt-ArrowUp", run: moveLineUp },
    { key: "Alt-ArrowDown", run: moveLineDown },
    ...historyKeymap,
    ...standardKeymap,
  ]),
];

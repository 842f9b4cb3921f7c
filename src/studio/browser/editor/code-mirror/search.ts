import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";

const PHRASES = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regex",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close",
};

/** Find and replace, loaded when it is first asked for. */
const finding = [
  EditorState.phrases.of(PHRASES),
  search({ top: true }),
  keymap.of(searchKeymap.filter(({ key }) => key === "Mod-g" || key === "F3" || key === "Escape")),
];
const views = new WeakSet<EditorView>();

export function openSearch(view: EditorView): void {
  if (!views.has(view)) view.dispatch({ effects: StateEffect.appendConfig.of(finding) });
  views.add(view);
  openSearchPanel(view);
}

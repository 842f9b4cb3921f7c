import { MergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

interface MergeTexts {
  readonly mine: string;
  readonly theirs: string;
  readonly by: string;
}

/** Shows two texts side by side, with their differences marked. @returns how to end it */
export function showMerge(parent: HTMLElement, { mine, theirs, by }: MergeTexts, nonce: string): () => void {
  const extensions = (label: string): Extension => [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", dir: "auto" }),
  ];
  const view = new MergeView({
    parent,
    a: { doc: mine, extensions: extensions("Mine") },
    b: { doc: theirs, extensions: extensions(by) },
    collapseUnchanged: { margin: 3, minSize: 6 },
    gutter: true,
  });
  return () => view.destroy();
}

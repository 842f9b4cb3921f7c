import { invertedEffects } from "@codemirror/commands";
import { type ChangeSet, type Extension, StateEffect, StateField, type Transaction } from "@codemirror/state";
import type { Edit } from "../text/edit.ts";
import { LineEndings } from "../text/line-endings.ts";

/** Sets the line endings of the text after the change. */
export const setLineEndings = StateEffect.define<LineEndings>({
  map(endings, changes) {
    const edits: Edit[] = [];
    changes.iterChangedRanges((from, to, fromNew, toNew) =>
      edits.push({ from, to, insert: " ".repeat(toNew - fromNew) }),
    );
    return endings.after(edits);
  },
});

export const lineEndings = StateField.define<LineEndings>({
  create: () => LineEndings.split("").endings,
  update(endings, transaction) {
    const given = setIn(transaction);
    if (given !== null) return given;
    return transaction.docChanged && !endings.isPlain ? endings.after(editsOf(transaction.changes)) : endings;
  },
});

/** Line endings that a change removes come back when it is undone. */
const undone = invertedEffects.of((transaction) => {
  const before = transaction.startState.field(lineEndings);
  const isSet = setIn(transaction) !== null;
  if (!isSet && (before.isPlain || !before.loses(editsOf(transaction.changes)))) return [];
  return [setLineEndings.of(before)];
});

export const keepLineEndings: Extension = [lineEndings, undone];

function editsOf(changes: ChangeSet): Edit[] {
  const edits: Edit[] = [];
  changes.iterChanges(
    (from, to, _fromNew, _toNew, insert) => edits.push({ from, to, insert: insert.toString() }),
    true,
  );
  return edits;
}

function setIn(transaction: Transaction): LineEndings | null {
  let found: LineEndings | null = null;
  for (const effect of transaction.effects) if (effect.is(setLineEndings)) found = effect.value;
  return found;
}

/** One replacement in a text. Places count code units of the text before any edit of the same list. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** A selection by its fixed end and the end that moves. */
export interface Selection {
  readonly anchor: number;
  readonly head: number;
}

/** Result of a command. The selection counts in the text after the edits. */
export interface Outcome {
  readonly edits: readonly Edit[];
  readonly selection: Selection;
}

/** @param edits in order, without overlaps */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const { from, to, insert } of edits) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

/**
 * The place in the text after the edits.
 *
 * @param side where a place at an insertion goes: -1 before the new text, 1 after it
 */
export function mapPlace(place: number, edits: readonly Edit[], side: -1 | 1 = 1): number {
  let moved = 0;
  for (const { from, to, insert } of edits) {
    if (from > place || (from === place && side < 0)) break;
    if (to > place) return from + moved + (side < 0 ? 0 : insert.length);
    moved += insert.length - (to - from);
  }
  return place + moved;
}

/** The edits that take back `edits`, for the text after them. */
export function inverted(text: string, edits: readonly Edit[]): Edit[] {
  let moved = 0;
  return edits.map(({ from, to, insert }) => {
    const back = { from: from + moved, to: from + moved + insert.length, insert: text.slice(from, to) };
    moved += insert.length - (to - from);
    return back;
  });
}

/** Beginning of the line of a place. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** End of the line of a place, before its line break. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

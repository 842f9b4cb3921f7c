import { type Edit, inverted, mapPlace, type Selection } from "../text/edit.ts";
import type { LineEndings } from "../text/line-endings.ts";

/** State of the plain editor. The text has LF alone. */
export interface PlainText {
  readonly text: string;
  readonly endings: LineEndings;
}

interface Step {
  readonly before: PlainText;
  readonly after: PlainText;
  readonly edits: readonly Edit[];
  readonly selectionBefore: Selection;
  readonly selectionAfter: Selection;
}

/** Milliseconds between two keys after which typing is another step. */
const PAUSE = 500;
const STEPS = 200;

/**
 * Undo and redo of the plain editor. The browser's own cannot undo a merged text, and knows nothing of line endings.
 */
export class PlainHistory {
  #done: Step[] = [];
  #undone: Step[] = [];
  #last = 0;
  #isOpen = false;

  /**
   * @param isTyping whether the step may become one with the typing before it
   * @param now milliseconds
   */
  add(step: Omit<Step, "edits"> & { readonly edits: readonly Edit[] }, isTyping: boolean, now: number): void {
    const last = this.#done.at(-1);
    if (isTyping && this.#isOpen && last !== undefined && now - this.#last < PAUSE && follows(last, step)) {
      this.#done[this.#done.length - 1] = joined(last, step);
    } else {
      this.#done.push(step);
      if (this.#done.length > STEPS) this.#done.shift();
    }
    this.#undone = [];
    this.#last = now;
    this.#isOpen = isTyping;
  }

  undo(): (PlainText & { readonly selection: Selection }) | null {
    const step = this.#done.pop();
    if (step === undefined) return null;
    this.#undone.push(step);
    this.#isOpen = false;
    return { ...step.before, selection: step.selectionBefore };
  }

  redo(): (PlainText & { readonly selection: Selection }) | null {
    const step = this.#undone.pop();
    if (step === undefined) return null;
    this.#done.push(step);
    return { ...step.after, selection: step.selectionAfter };
  }
}

/** Whether a step goes on where the last one ended, in the same direction. */
function follows(last: Step, next: Pick<Step, "edits">): boolean {
  const [a, b] = [last.edits.at(-1), next.edits[0]];
  if (a === undefined || b === undefined || last.edits.length !== 1 || next.edits.length !== 1) return false;
  if (b.insert === "\n") return false;
  const isInserting = a.insert.length > 0;
  return isInserting
    ? b.from <= a.from + a.insert.length && b.to >= a.from
    : b.insert === "" && b.to >= a.from && b.from <= a.from;
}

function joined(last: Step, next: Step): Step {
  const [a, b] = [last.edits[0] as Edit, next.edits[0] as Edit];
  const [back] = inverted(last.before.text, [a]) as [Edit];
  const from = Math.min(a.from, b.from);
  const to = Math.max(a.to, mapPlace(b.to, [back]));
  const end = next.after.text.length - (last.before.text.length - to);
  return {
    before: last.before,
    after: next.after,
    edits: [{ from, to, insert: next.after.text.slice(from, end) }],
    selectionBefore: last.selectionBefore,
    selectionAfter: next.selectionAfter,
  };
}

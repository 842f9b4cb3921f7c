import { matches } from "../../difference/matches.ts";

/** A part of a line. */
export interface Piece {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** A line of a comparison. */
export interface Row {
  readonly kind: "same" | "changed" | "gone" | "new";
  /** In reading order. Without the new ones they are the line before, without the gone ones the line after. */
  readonly pieces: readonly Piece[];
  /** Numbers from 1; null where the line is not there. */
  readonly beforeLine: number | null;
  readonly afterLine: number | null;
}

/** Share of equal words from which two lines count as one line that was changed. */
const ALIKE = 0.4;
/** Lines gone times lines new, up to which the best pairs are looked for. */
const MOST_PAIRS = 2_500;
/** Code units of a line up to which words are told apart by the rules of the script. */
const SEGMENTED = 20_000;

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** Compares two texts by lines, and changed lines by words. */
export function compareTexts(before: string, after: string): readonly Row[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const rows: Row[] = [];
  let [x, y] = [0, 0];
  for (const match of [...matches(a, b), { before: a.length, after: b.length, length: 0 }]) {
    rows.push(...changedRows(a.slice(x, match.before), b.slice(y, match.after), x + 1, y + 1));
    for (let i = 0; i < match.length; i++)
      rows.push({
        kind: "same",
        pieces: [{ kind: "same", text: a[match.before + i] as string }],
        beforeLine: match.before + i + 1,
        afterLine: match.after + i + 1,
      });
    [x, y] = [match.before + match.length, match.after + match.length];
  }
  return rows;
}

/** Compares two lines by words. */
export function compareLines(before: string, after: string): readonly Piece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const pieces: Piece[] = [];
  function add(kind: Piece["kind"], words: readonly string[]): void {
    if (words.length > 0) pieces.push({ kind, text: words.join("") });
  }
  let [x, y] = [0, 0];
  for (const match of [...matches(a, b), { before: a.length, after: b.length, length: 0 }]) {
    add("gone", a.slice(x, match.before));
    add("new", b.slice(y, match.after));
    add("same", a.slice(match.before, match.before + match.length));
    [x, y] = [match.before + match.length, match.after + match.length];
  }
  return pieces;
}

/** Unchanged lines further than `context` from any change are folded. */
export type Section =
  | { readonly kind: "rows"; readonly rows: readonly Row[] }
  | { readonly kind: "folded"; readonly rows: readonly Row[] };

export function sectionsOf(rows: readonly Row[], context = 3): readonly Section[] {
  const isNear = new Uint8Array(rows.length);
  for (const [index, { kind }] of rows.entries())
    if (kind !== "same") isNear.fill(1, Math.max(0, index - context), index + context + 1);
  const sections: { kind: "rows" | "folded"; rows: Row[] }[] = [];
  for (const [index, row] of rows.entries()) {
    const kind = isNear[index] === 1 ? "rows" : "folded";
    const last = sections.at(-1);
    if (last?.kind === kind) last.rows.push(row);
    else sections.push({ kind, rows: [row] });
  }
  return sections.map((section) => (section.rows.length === 1 ? { ...section, kind: "rows" } : section));
}

function changedRows(gone: readonly string[], added: readonly string[], beforeLine: number, afterLine: number): Row[] {
  const rows: Row[] = [];
  let [x, y] = [0, 0];
  for (const [i, j] of [...pairsOf(gone, added), [gone.length, added.length] as const]) {
    for (; x < i; x++) rows.push(lineRow("gone", gone[x] as string, beforeLine + x));
    for (; y < j; y++) rows.push(lineRow("new", added[y] as string, afterLine + y));
    if (i === gone.length && j === added.length) break;
    const pieces = compareLines(gone[i] as string, added[j] as string);
    rows.push({ kind: "changed", pieces, beforeLine: beforeLine + i, afterLine: afterLine + j });
    [x, y] = [i + 1, j + 1];
  }
  return rows;
}

function lineRow(kind: "gone" | "new", text: string, line: number): Row {
  return {
    kind,
    pieces: [{ kind, text }],
    beforeLine: kind === "gone" ? line : null,
    afterLine: kind === "new" ? line : null,
  };
}

/** Which line became which: pairs in order, with the greatest sum of likeness. */
function pairsOf(gone: readonly string[], added: readonly string[]): readonly (readonly [number, number])[] {
  const [n, m] = [gone.length, added.length];
  if (n === 0 || m === 0) return [];
  if (n * m > MOST_PAIRS) return [];
  const bags = { gone: gone.map(bagOf), added: added.map(bagOf) };
  const likeness = (i: number, j: number) => alike(bags.gone[i] as Bag, bags.added[j] as Bag);
  const best = Array.from({ length: n + 1 }, () => new Float64Array(m + 1));
  const value = (i: number, j: number) => (best[i] as Float64Array)[j] as number;
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--) {
      const same = likeness(i, j);
      const paired = same >= ALIKE ? same + value(i + 1, j + 1) : 0;
      (best[i] as Float64Array)[j] = Math.max(paired, value(i + 1, j), value(i, j + 1));
    }
  const pairs: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < n && j < m; ) {
    if (value(i, j) === value(i + 1, j)) i++;
    else if (value(i, j) === value(i, j + 1)) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

interface Bag {
  readonly words: ReadonlyMap<string, number>;
  readonly size: number;
}

function bagOf(line: string): Bag {
  const words = new Map<string, number>();
  let size = 0;
  for (const word of wordsOf(line)) {
    if (word.trim() === "") continue;
    words.set(word, (words.get(word) ?? 0) + 1);
    size++;
  }
  return { words, size };
}

/** The share of words that both lines have (Dice's coefficient). */
function alike(a: Bag, b: Bag): number {
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const [word, count] of a.words) shared += Math.min(count, b.words.get(word) ?? 0);
  return (2 * shared) / (a.size + b.size);
}

function wordsOf(line: string): readonly string[] {
  if (line.length > SEGMENTED) return line.match(/\s+|\S+/g) ?? [];
  return Array.from(segmenter.segment(line), ({ segment }) => segment);
}

import { graphemesOf } from "../../domain/text.ts";

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell | readonly string[]>>;

/** Columns that a cut cell keeps at least. */
const LEAST = 6;
const GAP = "  ";
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
/** Control and direction characters: in a name they could rewrite what the terminal shows. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A value as people read it: safe to print, and on one line. */
export function cellText(value: Cell | readonly string[]): string {
  if (value === null) return "–";
  const text = Array.isArray(value) ? value.join(" ") : String(value);
  return text.replace(UNSAFE, "\ufffd");
}

/**
 * A heading and a line for each row. The widest cells are cut until a line fits.
 *
 * @param kept columns that are cut last
 */
export function tableLines(rows: readonly Row[], width: number, kept: readonly string[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => cellText(row[name] ?? null)))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  const excess = sum(widths) + GAP.length * (names.length - 1) - width;
  const isKept = names.map((name) => kept.includes(name));
  cutWidest(widths, cutWidest(widths, excess, isKept), []);
  return lines.map((line) =>
    line
      .map((text, column) => fitted(text, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Narrows the widest columns first. @returns how much is still to be cut */
function cutWidest(widths: number[], excess: number, isKept: readonly boolean[]): number {
  for (let left = excess; left > 0; left--) {
    const cuttable = widths.map((columns, column) => (isKept[column] || columns <= LEAST ? 0 : columns));
    const widest = cuttable.indexOf(Math.max(...cuttable));
    if (cuttable[widest] === 0) return left;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return 0;
}

function fitted(text: string, width: number): string {
  const own = widthOf(text);
  if (own <= width) return text + " ".repeat(width - own);
  let cut = "";
  let left = width - 1;
  for (const { segment } of graphemesOf(text)) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    cut += segment;
  }
  return `${cut}…${" ".repeat(width - widthOf(cut) - 1)}`;
}

/** Columns of a terminal that a text takes. */
function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text)
    ? text.length
    : sum([...graphemesOf(text)].map(({ segment }) => graphemeWidth(segment)));
}

function graphemeWidth(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import { graphemesOf, nextCharacter } from "../text.ts";
import { folded, gramsOf, partsOf, runsOf, type WordPart } from "./words.ts";

/** Characters of a text that are looked at, so that a page of long posts takes no second. */
export const LOOKED_AT = 100_000;
/** Characters of a piece, about. */
const PIECE = 240;
/** Characters of it before what was found first. */
const BEFORE = 60;
/** Characters by which a piece is longer or shorter so that it ends and begins with a word. */
const WORD = 20;

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * A piece of a text around what was found, as HTML with that in `<mark>`. Where nothing was found, the beginning of the text.
 *
 * @param words in the form of `searchWords`
 */
export function highlight(text: string, words: string): string {
  const sought = new Sought(words);
  let piece: Span | null = null;
  const marks: Span[] = [];
  for (const { 0: run, index } of runsOf(text)) {
    if (piece !== null && index >= piece.to) break;
    for (const { from, to } of sought.within(run)) {
      piece ??= pieceFrom(text, index + from);
      if (index + from >= piece.to) break;
      marks.push({ from: index + from, to: Math.min(index + to, piece.to) });
    }
  }
  const { from, to } = piece ?? pieceFrom(text, 0);
  let html = from > 0 ? "…" : "";
  let at = from;
  for (const mark of marks) {
    html += `${escaped(text.slice(at, mark.from))}<mark>${escaped(text.slice(mark.from, mark.to))}</mark>`;
    at = mark.to;
  }
  return `${html}${escaped(text.slice(at, to))}${to < text.length ? "…" : ""}`;
}

/** Begins and ends where a word does, if there is such a place nearby. */
function pieceFrom(text: string, found: number): Span {
  let from = Math.max(0, found - BEFORE);
  if (from > 0) {
    const space = text.slice(from, Math.min(found, from + WORD)).search(/\s/u);
    if (space >= 0) from += space + 1;
    else from = Math.min(found, nextCharacter(text, from));
  }
  let to = Math.min(text.length, from + PIECE);
  if (to < text.length) {
    const space = text.slice(to, to + WORD).search(/\s/u);
    if (space >= 0) to += space;
    else to = nextCharacter(text, to);
  }
  return { from, to };
}

/** The words of a search. */
class Sought {
  readonly #words: ReadonlySet<string>;
  readonly #beginnings: readonly string[];

  constructor(words: string) {
    const all = words.split(" ");
    this.#words = new Set(all.filter((word) => !word.endsWith("*")));
    this.#beginnings = all.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1));
  }

  /** Finds them in a run, in order. */
  *within(run: string): Generator<Span> {
    const parts = partsOf(folded(run));
    const [only] = parts;
    if (only !== undefined && parts.length === 1 && !only.isUnspaced) {
      if (this.#hasWord(only)) yield { from: 0, to: run.length };
      return;
    }
    const spans = parts.flatMap((part) => this.#spansOf(part));
    if (spans.length === 0) return;
    const origins = originsOf(run);
    for (const { from, to } of joined(spans)) yield { from: origins.start(from), to: origins.end(to) };
  }

  #hasWord({ text }: WordPart): boolean {
    return this.#words.has(text) || this.#beginnings.some((beginning) => text.startsWith(beginning));
  }

  #spansOf(part: WordPart): Span[] {
    if (!part.isUnspaced) return this.#hasWord(part) ? [{ from: part.at, to: part.at + part.text.length }] : [];
    const spans: Span[] = [];
    let from = part.at;
    for (const gram of gramsOf(part.text)) {
      const found = this.#words.has(gram) ? gram : this.#beginnings.find((beginning) => gram.startsWith(beginning));
      if (found !== undefined) spans.push({ from, to: from + found.length });
      from += /^[\ud800-\udbff]/.test(gram) ? 2 : 1;
    }
    return spans;
  }
}

/** Spans that overlap or touch as one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last !== undefined && span.from <= last.to)
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else all.push(span);
  }
  return all;
}

/** From places in a run after `folded` to places in the run itself: graphemes are folded one by one. */
function originsOf(run: string): { start(at: number): number; end(at: number): number } {
  const ends: { plain: number; run: number }[] = [];
  let length = 0;
  for (const { segment, index } of graphemesOf(run)) {
    length += folded(segment).length;
    ends.push({ plain: length, run: index + segment.length });
  }
  return {
    start: (at) => ends.findLast((end) => end.plain <= at)?.run ?? 0,
    end: (at) => ends.find((end) => end.plain >= at)?.run ?? run.length,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

import type { Edit } from "./edit.ts";

export type LineEnding = "\n" | "\r\n" | "\r";

/**
 * Remembers how the lines of a text end, while the surfaces work on the same text with "\n" alone. CommonMark takes CR, LF and
 * CR LF for line endings, and a textarea gives all of them back as LF, so this is what keeps every line that nobody touched
 * byte for byte. Values never change.
 */
export class LineEndings {
  /** Ending of lines that are added: that of all other lines, or LF where they differ. */
  readonly added: LineEnding;
  /** Places of the line breaks that are not LF, in the text with LF alone, in order. */
  readonly #places: readonly number[];
  readonly #kinds: readonly LineEnding[];

  constructor(added: LineEnding, places: readonly number[], kinds: readonly LineEnding[]) {
    this.added = added;
    this.#places = places;
    this.#kinds = kinds;
  }

  /** @returns the text with LF alone, and what it takes to make it `raw` again */
  static split(raw: string): { readonly text: string; readonly endings: LineEndings } {
    if (!raw.includes("\r")) return { text: raw, endings: new LineEndings("\n", [], []) };
    const places: number[] = [];
    const kinds: LineEnding[] = [];
    let shortened = 0;
    let hasLf = false;
    for (const { 0: ending, index } of raw.matchAll(/\r\n?|\n/g)) {
      if (ending === "\n") {
        hasLf = true;
        continue;
      }
      places.push(index - shortened);
      kinds.push(ending as LineEnding);
      shortened += ending.length - 1;
    }
    const [first = "\n"] = kinds;
    const isUniform = !hasLf && kinds.every((kind) => kind === first);
    return { text: withLf(raw), endings: new LineEndings(isUniform ? first : "\n", places, kinds) };
  }

  /** Whether any line ends, or would end, in something else than LF. */
  get isPlain(): boolean {
    return this.#places.length === 0 && this.added === "\n";
  }

  /** The text with its own line endings. */
  join(text: string): string {
    if (this.#places.length === 0) return text;
    const kinds = [...this.#kinds];
    // CR before LF would read as one line break, so that the empty line between them would be lost. From the end, because what
    // becomes LF may stand behind another CR.
    for (let index = kinds.length - 1; index >= 0; index--) {
      const next = (this.#places[index] as number) + 1;
      const isBeforeLf = text[next] === "\n" && (this.#places[index + 1] !== next || kinds[index + 1] === "\n");
      if (kinds[index] === "\r" && isBeforeLf) kinds[index] = "\n";
    }
    let [joined, at] = ["", 0];
    for (const [index, place] of this.#places.entries()) {
      joined += text.slice(at, place) + kinds[index];
      at = place + 1;
    }
    return joined + text.slice(at);
  }

  /** Whether the edits remove a line break that is not LF, so that undoing them has to bring it back. */
  loses(edits: readonly Edit[]): boolean {
    return edits.some(({ from, to }) => {
      const place = this.#places[firstFrom(this.#places, from)];
      return place !== undefined && place < to;
    });
  }

  /** The line endings of the text after the edits, whose insertions have LF alone. */
  after(edits: readonly Edit[]): LineEndings {
    if (this.isPlain) return this;
    const places: number[] = [];
    const kinds: LineEnding[] = [];
    let index = 0;
    let moved = 0;
    for (const { from, to, insert } of edits) {
      for (; index < this.#places.length && (this.#places[index] as number) < from; index++) {
        places.push((this.#places[index] as number) + moved);
        kinds.push(this.#kinds[index] as LineEnding);
      }
      while (index < this.#places.length && (this.#places[index] as number) < to) index++;
      if (this.added !== "\n")
        for (let at = insert.indexOf("\n"); at >= 0; at = insert.indexOf("\n", at + 1)) {
          places.push(from + moved + at);
          kinds.push(this.added);
        }
      moved += insert.length - (to - from);
    }
    for (; index < this.#places.length; index++) {
      places.push((this.#places[index] as number) + moved);
      kinds.push(this.#kinds[index] as LineEnding);
    }
    return new LineEndings(this.added, places, kinds);
  }
}

/** Index of the first number that is not smaller. */
function firstFrom(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text with LF for every line break. */
export function withLf(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

import { type Tree, TreeFragment } from "@lezer/common";
import { countWords } from "../../../../domain/posts/rendering.ts";
import { smallestEdit } from "../text/smallest-edits.ts";
import { findNotes, type Note } from "./notes.ts";
import { readerText } from "./reader-text.ts";
import { serverMarkdown } from "./server-markdown.ts";

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Place of its line in the text with LF alone. */
  readonly from: number;
}

/** Facts about a text that need its syntax. */
export interface Read {
  readonly text: string;
  readonly tree: Tree;
  /** As the server counts them. */
  readonly words: number;
  /** Whole minutes that reading takes. */
  readonly minutes: number;
  readonly headings: readonly Heading[];
  /** In the order of the text. */
  readonly notes: readonly Note[];
}

/** Milliseconds of work without letting the browser do something else. */
const SLICE = 6;

/** Reads a text again and again as it is written. Parts that did not change are parsed once. */
export class Reading {
  #last: { readonly text: string; readonly fragments: readonly TreeFragment[] } | null = null;
  #run = 0;

  /**
   * @param text with LF alone
   * @param pause lets the browser work in between
   * @returns null if a newer text is being read
   */
  async read(text: string, pause: () => Promise<void>): Promise<Read | null> {
    const run = ++this.#run;
    const parse = serverMarkdown.startParse(text, this.#fragmentsFor(text));
    let tree: Tree | null = null;
    for (let began = performance.now(); ; ) {
      tree = parse.advance();
      if (tree !== null) break;
      if (performance.now() - began < SLICE) continue;
      await pause();
      if (run !== this.#run) return null;
      began = performance.now();
    }
    this.#last = { text, fragments: TreeFragment.addTree(tree) };
    await pause();
    if (run !== this.#run) return null;
    const words = countWords(readerText(tree, text));
    await pause();
    const search = findNotes(tree, text);
    for (let began = performance.now(); ; ) {
      if (run !== this.#run) return null;
      const { done, value: notes } = search.next();
      if (done === true)
        return { text, tree, words, minutes: readingMinutes(words), headings: headingsOf(tree, text), notes };
      if (performance.now() - began < SLICE) continue;
      await pause();
      began = performance.now();
    }
  }

  #fragmentsFor(text: string): readonly TreeFragment[] {
    if (this.#last === null) return [];
    const edit = smallestEdit(this.#last.text, text);
    if (edit === null) return this.#last.fragments;
    const { from, to, insert } = edit;
    return TreeFragment.applyChanges(this.#last.fragments, [
      { fromA: from, toA: to, fromB: from, toB: from + insert.length },
    ]);
  }
}

function headingsOf(tree: Tree, text: string): Heading[] {
  const headings: Heading[] = [];
  tree.iterate({
    enter({ name, from, to }) {
      const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
      if (level === undefined) return !/^(?:Paragraph|FencedCode|CodeBlock|Table)$/.test(name);
      const line = text.slice(from, to).split("\n", 1)[0] ?? "";
      headings.push({
        level: Number(level),
        text: line.replace(/^#{1,6}[ \t]*/, "").replace(/[ \t]+#+[ \t]*$/, ""),
        from,
      });
      return false;
    },
  });
  return headings;
}

/** Words that an adult reads within a minute, by a meta-analysis of 190 studies (Brysbaert 2019). */
const WORDS_PER_MINUTE = 238;

function readingMinutes(words: number): number {
  return Math.ceil(words / WORDS_PER_MINUTE);
}

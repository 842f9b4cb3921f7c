import { queryTerms } from "./terms.ts";

/** The index as the browser gets it. */
export interface SearchIndex {
  readonly pages: readonly (readonly [path: string, title: string])[];
  /** An empty anchor stands for the page's beginning. */
  readonly sections: readonly (readonly [page: number, anchor: string, heading: string])[];
  /** One line a word, sorted: the word, a space, and for each section its distance to the one before and its weight. */
  readonly terms: string;
}

export interface Result {
  /** Relative to the site's root, with an anchor. */
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly score: number;
}

/** A word of the pages that only means the same counts less. */
const ALTERNATIVE = 0.55;
/** So does one that only begins as the word that somebody is still typing. */
const BEGINNING = 0.6;

/** Reads an index. @returns a function from a question to the best sections, best first */
export function openSearch(index: SearchIndex): (question: string, most?: number) => Result[] {
  const postings = new Map(
    index.terms.split("\n").map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), line.slice(space + 1)] as const;
    }),
  );
  const words = [...postings.keys()];

  return (question, most = 8) => {
    const terms = queryTerms(question);
    const totals = new Map<number, { score: number; found: number }>();
    for (const { word, alternatives } of terms) {
      const best = new Map<number, number>();
      const count = (name: string, factor: number) => {
        for (const [section, weight] of decode(postings.get(name) ?? ""))
          best.set(section, Math.max(best.get(section) ?? 0, weight * factor));
      };
      count(word, 1);
      for (const other of alternatives) count(other, ALTERNATIVE);
      if (!postings.has(word) && word.length > 2)
        for (const name of words.filter((name) => name.startsWith(word)).slice(0, 20)) count(name, BEGINNING);
      for (const [section, score] of best) {
        const total = totals.get(section) ?? { score: 0, found: 0 };
        totals.set(section, { score: total.score + score, found: total.found + 1 });
      }
    }
    return [...totals]
      .map(([section, { score, found }]) => ({ section, score: score * (found / terms.length) ** 1.5 }))
      .sort((a, b) => b.score - a.score || a.section - b.section)
      .slice(0, most)
      .map(({ section, score }) => resultOf(index, section, score));
  };
}

function resultOf({ pages, sections }: SearchIndex, section: number, score: number): Result {
  const [page = 0, anchor = "", heading = ""] = sections[section] ?? [];
  const [path = "", title = ""] = pages[page] ?? [];
  return { url: anchor === "" ? path : `${path}#${anchor}`, page: title, heading, score };
}

function* decode(text: string): Generator<[section: number, weight: number]> {
  let section = 0;
  for (const [, distance = "", letter = ""] of text.matchAll(/([0-9a-z]+)([A-Z])/g)) {
    section += Number.parseInt(distance, 36);
    yield [section, letter.charCodeAt(0) - 64];
  }
}

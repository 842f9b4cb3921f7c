import { queryTerms, wordsOf } from "./terms.ts";

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
const ALTERNATIVE = 0.65;
/** So does one that only begins as the word that somebody is still typing. */
const BEGINNING = 0.6;

/** So does one that has the question word by word. */
const SAME_WORDS = 1.2;

/** A heading that says what was asked for, and nothing else, counts this much more. */
const WHOLE_HEADING = 0.7;

/** Reads an index. @returns a function from a question to the best sections, best first */
export function openSearch(index: SearchIndex): (question: string, most?: number) => Result[] {
  const postings = new Map(
    index.terms.split("\n").map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), line.slice(space + 1)] as const;
    }),
  );
  const words = [...postings.keys()];
  const headings = index.sections.map(([, , heading]) => [...new Set(wordsOf(heading))]);

  return (question, most = 8) => {
    const terms = queryTerms(question);
    const totals = new Map<number, { score: number; found: number }>();
    for (const { word, alternatives, names } of terms) {
      const best = new Map<number, number>();
      const count = (name: string, factor: number) => {
        for (const [section, weight] of decode(postings.get(name) ?? ""))
          best.set(section, Math.max(best.get(section) ?? 0, weight * factor));
      };
      for (const name of [word, ...names]) count(name, 1);
      for (const other of alternatives) count(other, ALTERNATIVE);
      if (!postings.has(word) && word.length > 2)
        for (const name of words.filter((name) => name.startsWith(word)).slice(0, 20)) count(name, BEGINNING);
      for (const [section, score] of best) {
        const total = totals.get(section) ?? { score: 0, found: 0 };
        totals.set(section, { score: total.score + score, found: total.found + 1 });
      }
    }
    const asked = new Map<string, number>();
    for (const { alternatives } of terms) for (const other of alternatives) asked.set(other, ALTERNATIVE);
    for (const { word } of terms) asked.set(word, 1);
    const text = question.trim().toLowerCase();
    return [...totals]
      .map(([section, { score, found }]) => {
        const words = headings[section] ?? [];
        const said = words.reduce((sum, word) => sum + (asked.get(word) ?? 0), 0) / Math.max(words.length, 1);
        const isSame = index.sections[section]?.[2].toLowerCase().includes(text) === true;
        const factor =
          (found / terms.length) ** 1.5 * (1 + WHOLE_HEADING * said) * (isSame && terms.length > 1 ? SAME_WORDS : 1);
        return { section, score: score * factor };
      })
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

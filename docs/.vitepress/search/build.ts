import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listPages, ROOT, sitePath } from "../site/sources.ts";
import { plain, sectionsOf } from "../site/text.ts";
import type { SearchIndex } from "./query.ts";
import { wordsOf } from "./terms.ts";

/** Bytes of the index at most, as it is sent. The words that matter least are left out until it fits. */
export const LARGEST_INDEX = 195_000;

/** Pages that nobody looks for by a question. */
const LEFT_OUT = /^project\/(?:changelog|bench\/)/;
/**
 * How much pages of a kind count: those for few readers or without sentences less, so that a page that explains the same comes
 * first. Pages for one kind of client repeat what other pages explain for all, and troubleshooting quotes whole sentences.
 */
const KINDS: readonly (readonly [RegExp, number])[] = [
  [/^(?:project|decisions|evidence|reference)\/|^(?:index|schema|architecture|comparison)\.md/, 0.5],
  [/^clients\//, 0.8],
  [/^troubleshooting\.md/, 0.9],
];

/**
 * How much a word says about a section, by where it stands: in its own heading, in those above it, at the
 * beginning of a row, in its text.
 */
const WEIGHT = { heading: 16, above: 2, row: 3, text: 1 };

interface Posting {
  readonly section: number;
  readonly impact: number;
}

/** Makes the index of every page's sections. */
export function buildIndex(root = ROOT, most = LARGEST_INDEX): SearchIndex {
  const pages: [path: string, title: string][] = [];
  const sections: [page: number, anchor: string, heading: string][] = [];
  const bags: { readonly counts: Map<string, number>; readonly length: number; readonly factor: number }[] = [];
  for (const file of listPages(root)) {
    const path = sitePath(file);
    if (LEFT_OUT.test(path)) continue;
    const all = joined(sectionsOf(readFileSync(join(root, file), "utf8")));
    const title = all[0]?.heading ?? path;
    const page = pages.push([path.replace(/\.md$/, ".html"), title]) - 1;
    const factor = KINDS.find(([paths]) => paths.test(path))?.[1] ?? 1;
    let chapter = "";
    for (const { level, anchor, heading, text } of all) {
      if (level === 2) chapter = heading;
      const above = level === 1 ? "" : level === 2 ? title : `${title} ${chapter}`;
      sections.push([page, level === 1 ? "" : anchor, heading]);
      bags.push({ ...bagOf(heading, above, text), factor });
    }
  }
  const postings = weigh(bags);
  let least = 0;
  let index = encode(pages, sections, postings, least);
  while (Buffer.byteLength(JSON.stringify(index)) > most) {
    least += 0.1;
    index = encode(pages, sections, postings, least);
  }
  return index;
}

/** Headings below the third level have no result of their own: their words count for the section around them. */
function joined(
  sections: ReturnType<typeof sectionsOf>,
): { level: number; heading: string; anchor: string; text: string }[] {
  const found: { level: number; heading: string; anchor: string; text: string }[] = [];
  for (const section of sections) {
    const last = found.at(-1);
    if (section.level <= 3 || last === undefined) found.push({ ...section });
    else last.text += `${section.heading}\n${section.text}`;
  }
  return found;
}

function bagOf(heading: string, above: string, text: string) {
  const counts = new Map<string, number>();
  const add = (words: readonly string[], weight: number) => {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  const words = wordsOf(plain(text));
  add(words, WEIGHT.text);
  add([...new Set(wordsOf(above))], WEIGHT.above);
  // The row explains the word.
  add(
    [...text.matchAll(/^\| (?:\d{3} )?`(\w+)`/gm)].map(([, name = ""]) => wordsOf(name)[0] ?? name),
    WEIGHT.row,
  );
  // A word of a short heading is its subject, one of a long sentence need not be.
  const headed = new Set(wordsOf(heading));
  add([...headed], WEIGHT.heading / (1 + headed.size));
  return { counts, length: words.length };
}

/** BM25 (Robertson and Zaragoza 2009, section 3.4), with weights for the place of a word in place of its plain count. */
function weigh(
  bags: readonly { counts: Map<string, number>; length: number; factor: number }[],
): Map<string, Posting[]> {
  const mean = bags.reduce((sum, { length }) => sum + length, 0) / bags.length;
  const postings = new Map<string, Posting[]>();
  for (const [section, { counts, length, factor }] of bags.entries())
    for (const [word, count] of counts) {
      const k = 1.6 * (0.9 + (0.1 * length) / mean);
      const list = postings.get(word) ?? [];
      list.push({ section, impact: (factor * count * 2.6) / (count + k) });
      postings.set(word, list);
    }
  for (const [word, list] of postings) {
    const rarity = Math.log(1 + (bags.length - list.length + 0.5) / (list.length + 0.5));
    postings.set(
      word,
      list.map(({ section, impact }) => ({ section, impact: impact * rarity })),
    );
  }
  return postings;
}

/** Impacts as letters, A for the smallest; the distance to the section before as a number in base 36. */
function encode(
  pages: SearchIndex["pages"],
  sections: SearchIndex["sections"],
  postings: ReadonlyMap<string, readonly Posting[]>,
  least: number,
): SearchIndex {
  const terms = [...postings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([word, list]) => {
      let before = 0;
      let text = "";
      for (const { section, impact } of list) {
        if (impact < least) continue;
        text += (section - before).toString(36) + String.fromCharCode(65 + Math.min(25, Math.round(impact * 2)));
        before = section;
      }
      return text === "" ? [] : [`${word} ${text}`];
    });
  return { pages, sections, terms: terms.join("\n") };
}

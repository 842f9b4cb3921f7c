import { eachWord, folded, gramsOf, partsOf, runsOf } from "./words.ts";

/** Limits of one search; larger searches would only be slow. */
const MAX_LENGTH = 200;
const MAX_WORDS = 16;
/**
 * Different words of one text that are searched. A text of a million characters that somebody has written has fewer, in any
 * script. One that a program made up would hold up everybody's writes.
 */
const MAX_INDEXED = 250_000;

/**
 * The words of a search in the form that both databases take: as `words.ts` splits them, separated by single spaces. All of
 * them have to be in a post, in any order. A word that ends in `*` stands for all words that begin so. Words have no other
 * characters than letters, digits and marks.
 *
 * @returns null when there is no word in it, or when it is too long
 */
export function searchWords(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const found = text.split(/\s+/u).map(wordsOfQuestion).filter(isFull);
  return found.length === 0 || found.length > MAX_WORDS ? null : [...new Set(found.flat())].join(" ");
}

/** @param text without white space, such as an address, which counts as one word however many it has */
function wordsOfQuestion(text: string): string[] {
  const words: string[] = [];
  for (const { 0: run, index } of runsOf(text)) {
    const isBeginning = text[index + run.length] === "*";
    const parts = partsOf(folded(run));
    parts.forEach((part, i) => {
      if (!part.isUnspaced) words.push(isBeginning && i === parts.length - 1 ? `${part.text}*` : part.text);
      else words.push(...gramsOfQuestion(part.text));
    });
  }
  return words;
}

/** The single character that ends a sentence is the beginning of a word elsewhere. */
function gramsOfQuestion(text: string): string[] {
  const grams = [...gramsOf(text)];
  return grams.length === 1 ? [`${text}*`] : grams.slice(0, -1);
}

function isFull(words: readonly string[]): boolean {
  return words.length > 0;
}

/** The different words of a text that is searched, MAX_INDEXED at most, in the order of the text. */
export function indexedWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  eachWord(text, (word) => words.add(word).size < MAX_INDEXED);
  return words;
}

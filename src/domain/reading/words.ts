import { isAscii } from "../text.ts";

/**
 * Splits text into the words that search compares. Posts and questions go through the same functions on both databases, so
 * that no parser of a database decides what a word is.
 *
 * A word is a run of letters, digits and marks of any script, in lower case and without accents. Punctuation separates words,
 * so an address such as `user@example.com` is three of them. Scripts that write without spaces have no such runs: there each
 * two neighbours are a word, so that any part of a sentence is found.
 */

/** Letters, digits, marks, and characters that are invisible between them. U+200B stands for a space. */
const RUN = /[[\p{L}\p{N}\p{M}\p{Cf}]--[\u200b]]+/gv;
const ASCII_RUN = /[A-Za-z0-9]+/g;

/**
 * Accents, vowel points of Hebrew and Arabic, the Arabic stretching line, and invisible characters. Vowels and tones of other
 * scripts are part of the word, and so are the voicing marks of kana.
 */
const DROPPED =
  /[[[\p{M}&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]\p{Cf}\u0640]--[\u3099-\u309a\u200b]]/gv;
/** Letters that people type as others where their keyboard has no such letter, and that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", ı: "i", ς: "σ" },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Scripts whose sentences have no spaces between words. Korean has some, but its words carry endings. */
const UNSPACED =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Hangul}\\p{scx=Yi}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Javanese}\\p{scx=Balinese}\\p{scx=Tai_Le}\\p{scx=New_Tai_Lue}\\p{scx=Tai_Tham}\\p{scx=Tai_Viet}\\p{scx=Tangut}\\p{scx=Nushu}";
/** Parts of a run after `folded`: each of unspaced scripts alone, or of others alone. Compatibility forms may bring spaces. */
const PART = new RegExp(`[[${UNSPACED}]&&[\\p{L}\\p{N}\\p{M}]]+|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+`, "gv");
const PLAIN = /^[a-z0-9]+$/;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "v");

/** UTF-16 code units of a word that are compared. A question has fewer (`searchWords`), and PostgreSQL takes 2 KB. */
const LONGEST = 256;

/** A part of a run: one word, or the characters of an unspaced script. */
export interface WordPart {
  /** As compared. */
  readonly text: string;
  readonly isUnspaced: boolean;
  /** The place in the run after `folded` at which it begins. */
  readonly at: number;
}

/** The runs of a text, each with `index`, in order. */
export function runsOf(text: string): RegExpStringIterator<RegExpExecArray> {
  return text.matchAll(isAscii(text) ? ASCII_RUN : RUN);
}

/** Gives `take` all words of a text until it answers false. The text is split whole: run by run takes three times as long. */
export function eachWord(text: string, take: (word: string) => boolean): void {
  if (isAscii(text)) {
    (text.toLowerCase().match(ASCII_RUN) ?? []).every((word) => take(cut(word)));
    return;
  }
  // Separators go first, because some of them turn into letters as they are folded, such as ™.
  const parts = folded(text.match(RUN)?.join(" ") ?? "").match(PART) ?? [];
  for (const part of parts) {
    if (PLAIN.test(part) || !IS_UNSPACED.test(part)) {
      if (!take(cut(part))) return;
    } else for (const gram of gramsOf(part)) if (!take(gram)) return;
  }
}

/** The form of a run that is compared. */
export function folded(run: string): string {
  if (isAscii(run)) return run.toLowerCase();
  const plain = run.normalize("NFKD").replace(DROPPED, "");
  return plain
    .toUpperCase() // ſ and s are the same letter
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter] as string)
    .normalize("NFC");
}

/** @param run after `folded` */
export function partsOf(run: string): readonly WordPart[] {
  if (PLAIN.test(run)) return [{ text: cut(run), isUnspaced: false, at: 0 }];
  return Array.from(run.matchAll(PART), ({ 0: text, index: at }) => {
    const isUnspaced = IS_UNSPACED.test(text);
    return { text: isUnspaced ? text : cut(text), isUnspaced, at };
  });
}

/** The words that a part of an unspaced script has: one from each character on, so the last one is shorter. */
export function* gramsOf(text: string): Generator<string> {
  let before = "";
  for (const character of text) {
    if (before !== "") yield before + character;
    before = character;
  }
  if (before !== "") yield before;
}

/** Never through the middle of a character. */
function cut(word: string): string {
  if (word.length <= LONGEST) return word;
  return word.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "");
}

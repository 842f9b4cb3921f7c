import { badInput } from "./errors.ts";

/**
 * Checks one piece of text from outside: valid Unicode without U+0000 (neither database could keep it
 * unchanged otherwise), and a length in code points. Content is returned as given, never normalised.
 *
 * @throws AppError BAD_USER_INPUT naming `field`
 */
export function assertText(field: string, text: string, limits: { min: number; max: number }): void {
  if (!text.isWellFormed() || text.includes("\0")) {
    throw badInput(field, `${field} must be valid Unicode text without U+0000.`);
  }
  const length = codePoints(text, limits.max);
  if (length < limits.min) {
    throw badInput(
      field,
      limits.min === 1 ? `${field} must not be empty.` : `${field} must have at least ${limits.min} characters.`,
    );
  }
  if (length > limits.max) {
    throw badInput(field, `${field} must have at most ${limits.max.toLocaleString("en")} characters.`);
  }
}

/**
 * A name that others see, on the consent page too: 1 to 200 characters in one line, something visible among them.
 *
 * @throws AppError BAD_USER_INPUT naming `field`
 */
export function assertName(field: string, name: string): void {
  assertText(field, name, { min: 1, max: 200 });
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    throw badInput(field, `${field} must be one line without control characters.`);
  if (!/[^\p{Cf}\p{Zs}]/u.test(name)) throw badInput(field, `${field} must have a visible character.`);
}

/** Length in code points. Texts that cannot possibly fit under `max` are not walked. */
function codePoints(text: string, max: number): number {
  if (text.length > 2 * max) return text.length;
  let surrogatePairs = 0;
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800) surrogatePairs++;
  }
  return text.length - surrogatePairs;
}

/** Each code point has one or two code units, and in most texts all have one: only the others need to be walked. */
const HAS_LONG = /[\ud800-\udbff]/;
let graphemes: Intl.Segmenter | undefined;

/** Characters as people see them. Opened with the first text: what it reads stays in memory. */
export function graphemesOf(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return graphemes.segment(text);
}

export function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}

/** Whether a text has at most so many code points. */
export function isWithin(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= 2 * max && HAS_LONG.test(text) && codePoints(text, max) <= max;
}

/** Code units that may make one character together with a neighbour. */
const JOINED = /\r|[^\t-\u02ff]/;

/**
 * The longest beginning with at most so many code points that ends between two characters as people see them: a flag, a letter
 * with its accents, an emoji of several people. A first character that alone has more code points is cut all the same.
 */
export function beginningOf(text: string, max: number): string {
  if (isWithin(text, max)) return text;
  if (!JOINED.test(text.slice(0, max + 1))) return text.slice(0, max); // segmenting takes longer than rendering a short post
  const end = Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join("").length;
  const start = graphemesOf(text.slice(0, end + 2)).containing(end)?.index ?? end;
  return text.slice(0, start > 0 ? start : end);
}

/** The place of the next beginning of a character as people see it, from this place in the text on. */
export function nextCharacter(text: string, at: number): number {
  const character = graphemesOf(text).containing(at);
  return character === undefined || character.index === at ? at : character.index + character.segment.length;
}

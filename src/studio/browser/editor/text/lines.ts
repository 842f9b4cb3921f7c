import type { Edit, Outcome } from "./edit.ts";
import { lineEnd, lineStart, mapPlace } from "./edit.ts";
import type { Passage } from "./marks.ts";

const QUOTE = /^[ \t]*(?:>[ \t]?)+/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+|$)/;

/** Makes headings of the selected lines, or paragraphs again where they are headings of this level. */
export function toggleHeading(passage: Passage, level: number): Outcome {
  const hasLevel = filled(passage).every(({ text }) => HEADING.exec(text)?.[1]?.length === level);
  return onLines(passage, ({ text, at }) => {
    const old = (HEADING.exec(text) ?? ITEM.exec(text))?.[0].length ?? 0;
    return { from: at, to: at + old, insert: hasLevel ? "" : `${"#".repeat(level)} ` };
  });
}

/** Makes items of the selected lines, or paragraphs again where all are items of this kind. */
export function toggleList(passage: Passage, kind: "bullets" | "numbers"): Outcome {
  const isKind = (text: string) => {
    const marker = ITEM.exec(text)?.[2];
    return marker !== undefined && /\d/.test(marker) === (kind === "numbers");
  };
  const hasKind = filled(passage).every(({ text }) => isKind(text));
  let number = 1;
  return onLines(passage, ({ text, at }) => {
    const item = ITEM.exec(text);
    const indent = item?.[1] ?? "";
    const old = item?.[0].length ?? HEADING.exec(text)?.[0].length ?? 0;
    const marker = kind === "bullets" ? "- " : `${number++}. `;
    return { from: at, to: at + old, insert: hasKind ? indent : indent + marker };
  });
}

/** Quotes the selected lines, empty ones between them too, or takes the mark away where all have it. */
export function toggleQuote(passage: Passage): Outcome {
  const isQuoted = filled(passage).every(({ text }) => QUOTE.test(text));
  return onLines(
    passage,
    ({ text, at }) => {
      const mark = /^[ \t]*>[ \t]?/.exec(text)?.[0].length ?? 0;
      return isQuoted ? { from: at, to: at + mark, insert: "" } : { from: at, to: at, insert: "> " };
    },
    true,
  );
}

const TABLE = "| Heading | Heading |\n| --- | --- |\n|  |  |";

/** Adds an empty table after the selected lines, with its first heading selected. */
export function addTable(passage: Passage): Outcome {
  const end = lineEnd(passage.text, passage.to);
  const isBlank = passage.text.slice(lineStart(passage.text, end), end).trim() === "";
  const gap = isBlank ? "" : "\n\n";
  const anchor = end + gap.length + 2;
  return {
    edits: [{ from: end, to: end, insert: `${gap}${TABLE}\n` }],
    selection: { anchor, head: anchor + "Heading".length },
  };
}

/** Moves the selected items of a list one level in or out. Null where a line is no item. */
export function indentItems(passage: Passage, direction: 1 | -1): Outcome | null {
  if (!filled(passage).every(({ text }) => ITEM.test(text))) return null;
  return onLines(passage, ({ text, at }) => {
    const [, indent = "", marker = "-"] = ITEM.exec(text) ?? [];
    const width = /\d/.test(marker) ? marker.length + 1 : 2;
    if (direction > 0) return { from: at, to: at, insert: " ".repeat(width) };
    const less = indent.startsWith("\t") ? 1 : Math.min(width, /^ */.exec(indent)?.[0].length ?? 0);
    return { from: at, to: at + less, insert: "" };
  });
}

/** Whether the cursor stands where the text of an item begins, which is where Tab moves the item. */
export function isAtItemStart({ text, from, to }: Passage): boolean {
  const start = lineStart(text, from);
  const item = ITEM.exec(text.slice(start, lineEnd(text, from)));
  return from === to && item !== null && from === start + item[0].length;
}

/**
 * Enter within a list or a quote: the next line begins as this one does, with the next number. On an empty item it ends the
 * list, or goes one level out. Null where Enter is only a line break.
 */
export function continueLine({ text, from, to }: Passage): Outcome | null {
  const start = lineStart(text, from);
  const line = text.slice(start, lineEnd(text, from));
  const quote = QUOTE.exec(line)?.[0] ?? "";
  const item = ITEM.exec(line.slice(quote.length));
  if (quote === "" && item === null) return null;
  const [, indent = "", marker = "", space = ""] = item ?? [];
  const markers = quote.length + (item?.[0].length ?? 0);
  if (from - start < markers) return null;
  if (line.slice(markers).trim() === "" && from === to) return endLine(start, line, quote, item);
  const number = /^(\d+)([.)])$/.exec(marker);
  const next = number === null ? marker : `${Number(number[1]) + 1}${number[2]}`;
  const insert = `\n${quote}${indent}${next}${item === null ? "" : space === "" ? " " : space}`;
  const trailing = /[ \t]*$/.exec(text.slice(start + markers, from))?.[0].length ?? 0;
  const isAtEnd = from === start + line.length;
  // Two blanks before a line break would be a hard break, which Enter within an item is not.
  const cut = isAtEnd ? trailing : 0;
  const place = from - cut + insert.length;
  return { edits: [{ from: from - cut, to, insert }], selection: { anchor: place, head: place } };
}

function endLine(start: number, line: string, quote: string, item: RegExpExecArray | null): Outcome {
  const [, indent = "", marker = ""] = item ?? [];
  const outer = indent.slice(0, Math.max(0, indent.length - marker.length - 1));
  const insert = item === null ? "" : indent === "" ? quote : `${quote}${outer}${marker} `;
  const place = start + insert.length;
  return { edits: [{ from: start, to: start + line.length, insert }], selection: { anchor: place, head: place } };
}

interface PassageLine {
  readonly text: string;
  readonly at: number;
}

function linesOf({ text, from, to }: Passage): PassageLine[] {
  const lines: PassageLine[] = [];
  // A selection that ends at the beginning of a line does not touch that line.
  const last = to > from && text[to - 1] === "\n" ? to - 1 : to;
  for (let at = lineStart(text, from); at <= last; ) {
    const end = lineEnd(text, at);
    lines.push({ text: text.slice(at, end), at });
    at = end + 1;
  }
  return lines;
}

/** The lines with text; the one line of an empty selection in any case. */
function filled(passage: Passage): PassageLine[] {
  const lines = linesOf(passage);
  const full = lines.filter(({ text }) => text.trim() !== "");
  return full.length > 0 ? full : lines.slice(0, 1);
}

function onLines(passage: Passage, change: (line: PassageLine) => Edit, withEmpty = false): Outcome {
  const lines = withEmpty ? linesOf(passage) : filled(passage);
  const edits = lines.map(change).filter(({ from, to, insert }) => passage.text.slice(from, to) !== insert);
  const { from, to } = passage;
  const anchor = mapPlace(from, edits, from === to ? 1 : -1);
  return { edits, selection: { anchor, head: from === to ? anchor : mapPlace(to, edits) } };
}

import { type Edit, lineEnd, lineStart, type Outcome } from "./edit.ts";

/** Whole lines around a selection, which counts within them. */
export interface Passage {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The markers before the text of a line: quote, list, heading. */
const MARKERS = /^[ \t]*(?:>[ \t]?)*(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:#{1,6}[ \t]+)?/;

/** Puts a mark around the selection, or the word at the cursor, or takes it away. Each selected line has marks of its own. */
export function toggleMark({ text, from, to }: Passage, mark: "**" | "*" | "~~"): Outcome {
  if (from === to) return toggleAtCursor(text, from, mark);
  const parts = selectedParts(text, from, to);
  if (parts.length === 0) return { edits: [], selection: { anchor: from, head: to } };
  const isMarked = parts.every((part) => marksOf(text, part.from, part.to, mark) !== null);
  const edits: Edit[] = [];
  for (const part of parts) {
    const marks = marksOf(text, part.from, part.to, mark);
    if (isMarked && marks !== null)
      edits.push(
        { from: marks.from, to: marks.from + mark.length, insert: "" },
        { from: marks.to - mark.length, to: marks.to, insert: "" },
      );
    else if (marks === null)
      edits.push({ from: part.from, to: part.from, insert: mark }, { from: part.to, to: part.to, insert: mark });
  }
  const [first, last] = [parts[0]?.from ?? from, parts.at(-1)?.to ?? to];
  return { edits, selection: { anchor: placeOf(first, edits, 1), head: placeOf(last, edits, -1) } };
}

function toggleAtCursor(text: string, at: number, mark: string): Outcome {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (before.endsWith(mark) && after.startsWith(mark))
    return {
      edits: [{ from: at - mark.length, to: at + mark.length, insert: "" }],
      selection: { anchor: at - mark.length, head: at - mark.length },
    };
  const from = at - (/[\p{L}\p{N}\p{M}'’_]*$/u.exec(before)?.[0].length ?? 0);
  const to = at + (/^[\p{L}\p{N}\p{M}'’_]*/u.exec(after)?.[0].length ?? 0);
  if (from === to)
    return {
      edits: [{ from: at, to: at, insert: mark + mark }],
      selection: { anchor: at + mark.length, head: at + mark.length },
    };
  const { edits } = toggleMark({ text, from, to }, mark as "**");
  const place = placeOf(at, edits, at === to ? -1 : 1);
  return { edits, selection: { anchor: place, head: place } };
}

/** The selected part of each line without its markers and outer white space; empty ones left out. */
function selectedParts(text: string, from: number, to: number): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (const line of text.matchAll(/[^\n]+/g)) {
    const start = Math.max(from, line.index + (MARKERS.exec(line[0])?.[0].length ?? 0));
    const end = Math.min(to, line.index + line[0].length);
    if (start >= end) continue;
    const part = text.slice(start, end);
    const [left, right] = [part.length - part.trimStart().length, part.length - part.trimEnd().length];
    if (left < part.length) parts.push({ from: start + left, to: end - right });
  }
  return parts;
}

/** Begin and end of the marks of this kind around a part, whether they are selected or not; null without them. */
function marksOf(text: string, from: number, to: number, mark: string): { from: number; to: number } | null {
  const character = mark[0] as string;
  const start = from + runAfter(text, from, character);
  const end = to - runBefore(text, to, character);
  if (start >= end) return null;
  const count = Math.min(runBefore(text, start, character), runAfter(text, end, character));
  const isMarked = mark === "*" ? count % 2 === 1 : count >= mark.length;
  return isMarked ? { from: start - mark.length, to: end + mark.length } : null;
}

function runBefore(text: string, at: number, character: string): number {
  let count = 0;
  while (text[at - count - 1] === character) count++;
  return count;
}

function runAfter(text: string, at: number, character: string): number {
  let count = 0;
  while (text[at + count] === character) count++;
  return count;
}

/** As `mapPlace`, with the edits of one place taken to lie around the selection. */
function placeOf(place: number, edits: readonly Edit[], side: -1 | 1): number {
  let moved = 0;
  for (const { from, to, insert } of edits) {
    if (from > place || (from === place && to === from && side < 0)) break;
    moved += insert.length - (Math.min(to, place) - from);
  }
  return place + moved;
}

const ADDRESS = /^(?:https?:\/\/|mailto:)[^\s<>]+$/i;

/** Whether a text is the URL of a page or a mailbox and nothing else, so that it can become a link. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** The URL as Markdown has it in parentheses. */
function linkTarget(url: string): string {
  return /[()\s<>]/.test(url) ? `<${url.replaceAll(/[<>\n]/g, encodeURIComponent)}>` : url;
}

/** Makes a link of the selection. The cursor goes to the part that is missing. */
export function makeLink({ text, from, to }: Passage, url = ""): Outcome {
  const chosen = text.slice(from, to);
  if (url === "" && isAddress(chosen)) {
    const place = from + 1;
    return { edits: [{ from, to, insert: `[](${linkTarget(chosen)})` }], selection: { anchor: place, head: place } };
  }
  const insert = `[${chosen}](${linkTarget(url)})`;
  const place = from + (url !== "" ? insert.length : chosen === "" ? 1 : insert.length - 1);
  return { edits: [{ from, to, insert }], selection: { anchor: place, head: place } };
}

/** Code within a line, or a block of it for several lines. */
export function toggleCode({ text, from, to }: Passage): Outcome {
  const chosen = text.slice(from, to);
  if (chosen.includes("\n")) return fenced(text, from, to);
  const marks = Math.min(runBefore(text, from, "`"), runAfter(text, to, "`"));
  if (marks > 0)
    return {
      edits: [
        { from: from - marks, to: from, insert: "" },
        { from: to, to: to + marks, insert: "" },
      ],
      selection: { anchor: from - marks, head: to - marks },
    };
  const fence = "`".repeat(longestRun(chosen) + 1);
  const space = chosen.startsWith("`") || chosen.endsWith("`") ? " " : "";
  const shift = fence.length + space.length;
  return {
    edits: [
      { from, to: from, insert: fence + space },
      { from: to, to, insert: space + fence },
    ],
    selection: { anchor: from + shift, head: to + shift },
  };
}

function fenced(text: string, from: number, to: number): Outcome {
  const start = lineStart(text, from);
  const end = lineEnd(text, text[to - 1] === "\n" ? to - 1 : to);
  const fence = "`".repeat(Math.max(3, longestRun(text.slice(start, end)) + 1));
  const place = start + fence.length;
  return {
    edits: [
      { from: start, to: start, insert: `${fence}\n` },
      { from: end, to: end, insert: `\n${fence}` },
    ],
    selection: { anchor: place, head: place },
  };
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

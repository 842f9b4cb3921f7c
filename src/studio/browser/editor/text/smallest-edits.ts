import { hunksOf } from "../../difference/hunks.ts";
import { linesOf } from "../../difference/lines.ts";
import { type Edit, lineStart } from "./edit.ts";

/**
 * The edits that make one text of another and touch as little as possible, so that selections elsewhere stay where they are:
 * line by line, and within a passage from its first to its last difference.
 */
export function smallestEdits(before: string, after: string): Edit[] {
  const whole = smallestEdit(before, after);
  if (whole === null) return [];
  const start = lineStart(before, whole.from);
  const tail = before.length - whole.to;
  const oldLines = linesOf(before.slice(start, whole.to));
  const newLines = linesOf(after.slice(start, after.length - tail));
  if (oldLines.length < 3) return [whole];
  const edits: Edit[] = [];
  let [place, line] = [start, 0];
  for (const { start: first, end, from: newFirst, to: newEnd } of hunksOf(oldLines, newLines)) {
    for (; line < first; line++) place += oldLines[line]?.length ?? 0;
    const from = place;
    for (; line < end; line++) place += oldLines[line]?.length ?? 0;
    const edit = smallestEdit(before.slice(from, place), newLines.slice(newFirst, newEnd).join(""));
    if (edit !== null) edits.push({ from: edit.from + from, to: edit.to + from, insert: edit.insert });
  }
  return edits;
}

/**
 * The one edit from the first to the last difference, or null.
 *
 * @param end where the edit is known to end in the text after it, such as the cursor after typing: of two equal characters in
 * a row, only that place tells which one is new
 */
export function smallestEdit(before: string, after: string, end?: number): Edit | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let tail = 0;
  const longest = end === undefined ? shorter : Math.min(shorter, after.length - end);
  let head = 0;
  if (end === undefined) head = commonHead(before, after, shorter);
  while (
    tail < longest - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  if (end !== undefined) head = commonHead(before, after, shorter - tail);
  // Never between the halves of a surrogate pair.
  if (head > 0 && isHigh(before.charCodeAt(head - 1))) head--;
  if (tail > 0 && isLow(before.charCodeAt(before.length - tail))) tail--;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}

function commonHead(before: string, after: string, limit: number): number {
  let head = 0;
  while (head < limit && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  return head;
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

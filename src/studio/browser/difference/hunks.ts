import { matches } from "./matches.ts";

/** Elements from `start` to before `end` of one sequence became those from `from` to before `to` of the other. */
export interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** The stretches in which two sequences differ, in order. */
export function hunksOf<Element>(before: readonly Element[], after: readonly Element[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [start, from] = [0, 0];
  for (const match of [...matches(before, after), { before: before.length, after: after.length, length: 0 }]) {
    if (match.before > start || match.after > from) hunks.push({ start, end: match.before, from, to: match.after });
    [start, from] = [match.before + match.length, match.after + match.length];
  }
  return hunks;
}

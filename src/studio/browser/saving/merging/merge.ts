import { type Hunk, hunksOf } from "../../difference/hunks.ts";
import { linesOf } from "../../difference/lines.ts";
import type { Texts } from "../../ports.ts";

/** A passage of a merge: agreed on, or changed by both sides. */
export type Passage =
  | { readonly isAgreed: true; readonly text: string }
  | { readonly isAgreed: false; readonly base: string; readonly mine: string; readonly theirs: string };

export interface Merge {
  /** The merged text where both agree; null where they overlap. */
  readonly texts: Texts | null;
  readonly title: string | null;
  readonly slug: Choice;
  readonly excerpt: Choice;
  readonly passages: readonly Passage[];
}

/** A value that both changed to different ones has none. */
export type Choice = { readonly value: string | null } | null;

/** Merges what two sides made of one base, by line. Both sides' changes are in the result, or it is null. */
export function merge(base: Texts, mine: Texts, theirs: Texts): Merge {
  const title = choose(base.title, mine.title, theirs.title);
  const slug = choose(base.slug, mine.slug, theirs.slug);
  const excerpt = choose(base.excerpt, mine.excerpt, theirs.excerpt);
  const passages = passagesOf(base.body, mine.body, theirs.body);
  const isClean = title !== null && slug !== null && excerpt !== null && passages.every((passage) => passage.isAgreed);
  return {
    texts: isClean
      ? {
          title: title.value ?? "",
          body: passages.map((passage) => (passage.isAgreed ? passage.text : "")).join(""),
          slug: slug.value,
          excerpt: excerpt.value,
        }
      : null,
    title: title?.value ?? null,
    slug,
    excerpt,
    passages,
  };
}

function choose(base: string | null, mine: string | null, theirs: string | null): Choice {
  if (mine === theirs || theirs === base) return { value: mine };
  return mine === base ? { value: theirs } : null;
}

/** The body as passages, in order. Joined, those of one side give what that side merged with the other's free changes. */
export function passagesOf(base: string, mine: string, theirs: string): Passage[] {
  if (mine === theirs || theirs === base) return [{ isAgreed: true, text: mine }];
  if (mine === base) return [{ isAgreed: true, text: theirs }];
  const [baseLines, mineLines, theirLines] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const hunks = { mine: hunksOf(baseLines, mineLines), theirs: hunksOf(baseLines, theirLines) };
  const passages: Passage[] = [];
  let place = 0;
  for (const region of regionsOf(hunks.mine, hunks.theirs)) {
    const { start, end } = region;
    add(passages, baseLines.slice(place, start).join(""));
    const [my, their] = [sideOf(region.mine, region, mineLines), sideOf(region.theirs, region, theirLines)];
    if (their === null || my === their) add(passages, my ?? "");
    else if (my === null) add(passages, their);
    else passages.push({ isAgreed: false, base: baseLines.slice(start, end).join(""), mine: my, theirs: their });
    place = end;
  }
  add(passages, baseLines.slice(place).join(""));
  return passages;
}

interface Region {
  readonly start: number;
  end: number;
  readonly mine: Hunk[];
  readonly theirs: Hunk[];
}

/** Hunks of both sides that overlap or touch are one region: whether they go together is for a person to say. */
function regionsOf(mine: readonly Hunk[], theirs: readonly Hunk[]): Region[] {
  const all = [
    ...mine.map((hunk) => ({ hunk, side: "mine" as const })),
    ...theirs.map((hunk) => ({ hunk, side: "theirs" as const })),
  ];
  const regions: Region[] = [];
  for (const { hunk, side } of all.sort(
    (one, other) => one.hunk.start - other.hunk.start || one.hunk.end - other.hunk.end,
  )) {
    const last = regions.at(-1);
    const isNext = last === undefined || hunk.start > last.end;
    const region = isNext ? { start: hunk.start, end: hunk.end, mine: [], theirs: [] } : last;
    region.end = Math.max(region.end, hunk.end);
    region[side].push(hunk);
    if (isNext) regions.push(region);
  }
  return regions;
}

/** Lines of a side in place of a region; null where it changed nothing there. */
function sideOf(hunks: readonly Hunk[], { start, end }: Region, lines: readonly string[]): string | null {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined) return null;
  return lines.slice(first.from - (first.start - start), last.to + (end - last.end)).join("");
}

function add(passages: Passage[], text: string): void {
  if (text === "") return;
  const last = passages.at(-1);
  if (last?.isAgreed === true) passages[passages.length - 1] = { isAgreed: true, text: last.text + text };
  else passages.push({ isAgreed: true, text });
}

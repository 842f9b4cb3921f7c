import type { Conflict, Texts } from "../../ports.ts";
import type { Base } from "../device/local-draft.ts";
import { isSame } from "../device/texts.ts";
import { merge } from "../merging/merge.ts";
import type { Snapshot } from "./server.ts";

/** Outcome for a text when the server has another one than expected. */
export type Meeting =
  | {
      readonly kind: "agreed";
      readonly texts: Texts;
      /** Whether changes of both sides are in the text. */
      readonly isMerged: boolean;
    }
  | {
      readonly kind: "overlap";
      /** The text contains all that can be merged without a question. */
      readonly texts: Texts;
      readonly conflict: Conflict;
      readonly theirsIn: "copy" | "post";
    };

/** The base that a snapshot gives: the text being written is the working copy, or the post's without one. */
export function baseOf({ facts, applied, copy }: Snapshot): Base {
  return {
    version: facts.version,
    workingVersion: copy?.version ?? 0,
    baseVersion: copy?.baseVersion ?? facts.version,
    texts: copy?.texts ?? applied,
    applied,
  };
}

/**
 * Brings the text of this tab together with what the server has (S33).
 *
 * @param base what this tab's text was written on; null if that is not known
 * @param unanswered texts that this tab sent without an answer: if the server has one of them, it is our own
 */
export function meet(base: Texts | null, mine: Texts, unanswered: readonly Texts[], server: Snapshot): Meeting {
  const theirs = server.copy?.texts ?? server.applied;
  let texts = mine;
  let isMerged = false;
  const isOwn = isSame(theirs, mine) || unanswered.some((sent) => isSame(sent, theirs));
  if (!isOwn && (base === null || !isSame(base, theirs))) {
    const merged = base === null ? null : merge(base, mine, theirs).texts;
    if (merged === null)
      return {
        kind: "overlap",
        texts: mine,
        conflict: { base: base ?? theirs, mine, theirs, by: server.copy?.by ?? null },
        theirsIn: server.copy === null ? "post" : "copy",
      };
    isMerged = !isSame(merged, mine);
    texts = merged;
  }
  return meetPost(texts, server, isMerged);
}

/** Whether the post still has the text from which its copy was written on. */
export function isPostUnchanged({ copy, facts, origin, applied }: Snapshot): boolean {
  return copy === null || copy.baseVersion === facts.version || (origin !== null && isSame(origin, applied));
}

/** Brings a text together with the post itself, which may have changed by another way than its copy. */
export function meetPost(texts: Texts, server: Snapshot, isMerged: boolean): Meeting {
  if (isPostUnchanged(server)) return { kind: "agreed", texts, isMerged };
  const { origin, applied } = server;
  const merged = isSame(texts, applied) ? texts : origin === null ? null : merge(origin, texts, applied).texts;
  if (merged === null)
    return {
      kind: "overlap",
      texts,
      conflict: { base: origin ?? applied, mine: texts, theirs: applied, by: null },
      theirsIn: "post",
    };
  return { kind: "agreed", texts: merged, isMerged: isMerged || !isSame(merged, texts) };
}

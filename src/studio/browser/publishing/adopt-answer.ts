import { factsOf } from "../documents/post-answers.ts";
import type { PublishingCopy, PublishingTexts } from "../documents/publishing.ts";
import type { Texts, Writing } from "../ports.ts";

export function textsOf({ title, body, slug, excerpt }: Texts): Texts {
  return { title, body, slug, excerpt };
}

/** Hands the answer of a mutation to the writing. */
export function adoptAnswer(writing: Pick<Writing, "adopt">, post: PublishingTexts, copy: PublishingCopy | null): void {
  writing.adopt({
    post: factsOf(post),
    applied: textsOf(post),
    copy: copy && { ...textsOf(copy), version: copy.version, baseVersion: copy.baseVersion },
  });
}

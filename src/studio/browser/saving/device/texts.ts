import type { Texts } from "../../ports.ts";

/** The parts of a text, in the order in which people meet them. */
export const PARTS = ["title", "slug", "excerpt", "body"] as const;

export const EMPTY: Texts = { title: "", body: "", slug: null, excerpt: null };

/** "Changed" is a question of content: typing a letter and deleting it again changes nothing (S34). */
export function isSame(one: Texts, other: Texts): boolean {
  return one === other || PARTS.every((part) => one[part] === other[part]);
}

/** Whether there is nothing yet that would be worth a post. */
export function isBlank(texts: Texts): boolean {
  return !/\S/u.test(`${texts.title}${texts.body}${texts.slug ?? ""}${texts.excerpt ?? ""}`);
}

/** The parts that differ from the base. A part that nobody edited is never sent (S20). */
export function changedParts(base: Texts, texts: Texts): Partial<Texts> {
  return Object.fromEntries(PARTS.filter((part) => base[part] !== texts[part]).map((part) => [part, texts[part]]));
}

/**
 * Whether the text being written differs from what the post has. A null slug or excerpt of the text stands for what
 * the post has, so it is no change.
 */
export function hasUnappliedChanges(texts: Texts, applied: Texts): boolean {
  if (texts.title !== applied.title || texts.body !== applied.body) return true;
  return (
    (texts.slug !== null && texts.slug !== applied.slug) ||
    (texts.excerpt !== null && texts.excerpt !== applied.excerpt)
  );
}

/** Characters as the server counts them: Unicode code points. */
export function length(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (!(next >= 0xdc00 && next <= 0xdfff)) continue;
    count -= 1;
    index += 1;
  }
  return count;
}

/** Bytes of a request besides the text: document, variables' names, versions, ids. */
const ENVELOPE_BYTES = 4096;

/** Bytes of a request with these parts, as JSON in UTF-8. */
export function requestBytes(parts: Partial<Texts>): number {
  return ENVELOPE_BYTES + new TextEncoder().encode(JSON.stringify(parts)).byteLength;
}

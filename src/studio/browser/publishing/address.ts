import { isSlug } from "../../../domain/posts/chosen-texts.ts";
import type { PostFacts, Texts } from "../ports.ts";

/** Code points of a slug that a person chooses. */
const LONGEST = 100;

/** The parts of the operator's address around the slug. */
export interface AddressParts {
  readonly before: string;
  readonly after: string;
  /** Whether the slug is part of the address at all. */
  readonly hasSlug: boolean;
}

/** @param postUrl POST_URL, with `{slug}` or `{id}` */
export function addressParts(postUrl: string | null, id: string | null): AddressParts {
  const [before = "", after] = (postUrl ?? "/{slug}").replaceAll("{id}", id ?? "…").split("{slug}");
  return { before, after: after ?? "", hasSlug: after !== undefined };
}

/** The whole address with a slug. */
export function addressOf(postUrl: string | null, id: string | null, slug: string): string {
  const { before, after, hasSlug } = addressParts(postUrl, id);
  return hasSlug ? before + slug + after : before;
}

/**
 * The slug under which the text will be published.
 *
 * @param derived the slug that the server makes of the title
 */
export function publishedSlug(
  texts: Pick<Texts, "title" | "slug">,
  post: Pick<PostFacts, "slug" | "publishedAt" | "status"> | null,
  appliedTitle: string | null,
  derived: string | null,
): string {
  if (texts.slug !== null) return texts.slug;
  if (post !== null && (wasPublished(post) || texts.title === appliedTitle)) return post.slug;
  return derived ?? post?.slug ?? "";
}

/** Whether readers may know the post's address. */
export function wasPublished(post: Pick<PostFacts, "publishedAt" | "status">): boolean {
  return post.publishedAt !== null || post.status !== "DRAFT";
}

/** Typed letters as a slug may have them: spaces are hyphens, and capital letters are small ones. */
export function slugFromTyping(typed: string): string {
  return typed.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, "-");
}

/** A sentence about a slug that the server would reject; null for a good one. */
export function slugFault(slug: string): string | null {
  if ([...slug].length > LONGEST) return `An address has up to ${LONGEST} characters.`;
  if (!isSlug(slug)) return "Use letters and digits, with single hyphens between words.";
  return null;
}

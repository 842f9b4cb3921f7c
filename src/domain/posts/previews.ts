import { AppError, badInput } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { PostStatus } from "../post-status.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import type { Viewer } from "../viewer.ts";
import type { PostState } from "./post.ts";
import { assertChangeable, noPost } from "./post-changes.ts";
import { type RenderMarkdown, renderBody, slugOf } from "./rendering.ts";

const DAY = 86_400_000;
/** Days that a link may be good for. */
const MAX_DAYS = 366;
/** Milliseconds for which a use stands for those that follow: the time of the last use is as exact as that. */
const USE_NOTED_FOR = 60_000;

/** Makes and knows the secrets of links. */
export interface PreviewTokens {
  /** A token that nobody guesses. */
  issue(): string;
  /** The form in which storage knows a token. */
  hash(token: string): string;
  /** The URL that people open. */
  urlOf(token: string): string;
}

interface NewPreviewLink {
  readonly postId: Id;
  readonly tokenHash: string;
  readonly createdBy: Id | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly expiresAt: string;
  /** A revision of the post; null for a link that follows the text being written. */
  readonly revision: Id | null;
}

/** The text of a post that a link shows. */
interface ShownText {
  readonly title: string;
  /** null: it follows the title. */
  readonly slug: string | null;
  /** null: it is derived from the body. */
  readonly excerpt: string | null;
  readonly body: string;
  readonly updatedAt: string;
}

/** A link that is good, and its post. */
export interface FoundLink {
  readonly id: Id;
  readonly lastUsedAt: string | null;
  readonly postId: Id;
  readonly status: PostStatus;
  /** null for a post that was never published. */
  readonly publishedAt: string | null;
  readonly authorName: string;
  readonly slug: string;
  /** The text of the post itself, rendered when it was written. */
  readonly own: Omit<RenderedText, "slug">;
  /** Whether the post was published since the link was made. */
  readonly wasPublishedSince: boolean;
  /** The text that the link shows instead: a revision, or what is being written. null: the post's own. */
  readonly other: ShownText | null;
}

interface RenderedText {
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string;
  readonly bodyHtml: string;
  readonly wordCount: number;
  readonly updatedAt: string;
}

export interface PreviewLinkStore {
  /**
   * @param decide is asked within the transaction about the post as it is then
   * @throws what `decide` throws, BAD_USER_INPUT for a revision that the post does not have, CONFLICT where the post has
   * `MAX_PREVIEW_LINKS` that are good, KeyInUse
   */
  create(
    link: NewPreviewLink,
    decide: (post: PostState | null) => void,
    once?: Once,
    readBack?: ReadBack | null,
  ): Promise<Id>;
  /** Ends a link; one that is revoked already stays so. @throws what `decide` throws, which is asked about its post, or null; KeyInUse */
  revoke(id: Id, decide: (post: PostState | null) => void, once?: Once, readBack?: ReadBack | null): Promise<void>;
  /**
   * The link with this token, if it is good at this time (RFC 3339, UTC, milliseconds), its post is there, and whoever made it may still
   * change that: a person who is disabled or no longer an editor leaves no view of what others write. Reads what is newest.
   */
  find(tokenHash: string, now: string): Promise<FoundLink | null>;
  /** Notes when a link was used. Never makes that time earlier. */
  noteUse(id: Id, at: string): Promise<void>;
  /** Removes links that expired before this time. @returns how many, at most `limit` */
  sweep(before: string, limit: number): Promise<number>;
}

/** The part of the store that previews need. */
export interface PreviewSlice {
  readonly previewLinks: PreviewLinkStore;
}

/** A change of the links of a post. */
export interface LinkRequest {
  readonly store: PreviewSlice;
  readonly viewer: Viewer;
  /** Id of the post for a new link, else of the link; null for a text that is no id. */
  readonly id: Id | null;
  readonly tokens: PreviewTokens;
  /** Unix time in milliseconds. */
  readonly now: number;
  readonly once: Once | undefined;
  readonly readBack?: ReadBack | null;
}

/**
 * @returns the id of the new link, and its URL, which nobody can tell later
 * @throws AppError BAD_USER_INPUT for rules broken, NOT_FOUND, FORBIDDEN as `updatePost`, CONFLICT where there are too many links
 */
export async function createPreviewLink(
  { store, viewer, id, tokens, now, once, readBack }: LinkRequest,
  { expiresAt, revision }: { readonly expiresAt: string; readonly revision: Id | null },
): Promise<{ readonly id: Id; readonly url: string }> {
  if (Date.parse(expiresAt) <= now) throw badInput("expiresAt", "expiresAt must be in the future.");
  if (Date.parse(expiresAt) > now + MAX_DAYS * DAY)
    throw badInput("expiresAt", `expiresAt must be within ${MAX_DAYS} days.`);
  if (id === null) throw noPost();
  const token = tokens.issue();
  const link = await store.previewLinks.create(
    { postId: id, tokenHash: tokens.hash(token), createdBy: viewer.userId, expiresAt, revision },
    (post) => assertChangeable(viewer, post),
    once,
    readBack,
  );
  return { id: link, url: tokens.urlOf(token) };
}

/** @returns the id of the link. @throws AppError NOT_FOUND for no link of a post that the viewer sees, FORBIDDEN as `updatePost` */
export async function revokePreviewLink({ store, viewer, id, once, readBack }: LinkRequest): Promise<Id> {
  if (id === null) throw noLink();
  const decide = (post: PostState | null) => {
    try {
      assertChangeable(viewer, post);
    } catch (error) {
      throw error instanceof AppError && error.code === "NOT_FOUND" ? noLink() : error;
    }
  };
  await store.previewLinks.revoke(id, decide, once, readBack);
  return id;
}

export function noRevision(): AppError {
  return badInput("revision", "The post has no revision with this id that has a text.");
}

export function noLink(): AppError {
  return new AppError("NOT_FOUND", "There is no link with this id.");
}

/** A post as the holder of a link sees it: `PostPreview` of the schema. */
export interface Preview extends RenderedText {
  readonly postId: Id;
  readonly status: PostStatus;
  readonly authorName: string;
  /** Whether it is what everybody may read. */
  readonly isPublic: boolean;
}

/**
 * The post that a link shows; null for a token that is unknown, expired or revoked. While the post is published, a link that was made
 * before shows what everybody reads: the text being written is not meant for its holder any more.
 *
 * @throws AppError as `renderMarkdown`
 */
export async function findPreview(
  {
    store: { previewLinks },
    renderMarkdown,
    now,
  }: { readonly store: PreviewSlice; readonly renderMarkdown: RenderMarkdown; readonly now: number },
  tokenHash: string,
): Promise<Preview | null> {
  const at = new Date(now).toISOString();
  const link = await previewLinks.find(tokenHash, at);
  if (link === null) return null;
  const { lastUsedAt, postId, status, publishedAt, authorName, slug, own, other } = link;
  if (lastUsedAt === null || Date.parse(lastUsedAt) <= now - USE_NOTED_FOR) await previewLinks.noteUse(link.id, at);
  const isOver = status === "PUBLISHED" && link.wasPublishedSince;
  const isPublic = status === "PUBLISHED" && (other === null || isOver);
  const about = { postId, status, authorName, isPublic };
  if (other === null || isOver) return { ...about, ...own, slug };
  const { body, slug: chosen, excerpt, ...rest } = other;
  // Each link waits for its own turn, so that many visits of one link do not hold up the others.
  const rendered = await renderBody((text) => renderMarkdown(text, { owner: link.id }), body);
  const followed = publishedAt === null ? slugOf(rest.title) : slug;
  return { ...about, ...rest, ...rendered, excerpt: excerpt ?? rendered.excerpt, slug: chosen ?? followed };
}

import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { PostStatus } from "../post-status.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import { seesUnpublished, type Viewer } from "../viewer.ts";
import { isForDraftsOnly, needsWriting } from "./drafts-only.ts";
import type { PostSlice } from "./post.ts";
import { type RenderMarkdown, renderPost } from "./rendering.ts";
import { changedBy, type PostText } from "./revisions.ts";

/** A deleted post that can still be restored, as it was when it was deleted. */
export interface KeptPost extends PostText {
  readonly id: Id;
  readonly authorId: Id;
  readonly status: PostStatus;
  readonly version: number;
  readonly createdAt: string;
  /** null for a post that was never published. */
  readonly publishedAt: string | null;
  readonly deletedAt: string;
  /** null for the server itself. */
  readonly deletedBy: Id | null;
}

/**
 * Deleted posts, beside those that are there: no list, search, slug or id of the API leads to them. `PostStore.edit` puts a post here
 * in the transaction that deletes it, with its history and its working copy, and `PostStore.restore` takes it out.
 */
export interface DeletedPostStore {
  /** @returns null for a post that is not deleted, or can no longer be restored */
  find(id: Id): Promise<KeptPost | null>;
  /** All of one author, by their ids. @param after continues after the post with this id */
  listOfAuthor(authorId: Id, page: { readonly after?: Id | undefined; readonly limit: number }): Promise<KeptPost[]>;
  /**
   * Removes what was deleted at or before this time, with its history, a few rows at a time: a post may have 100,000 revisions. Nothing
   * of it can be restored from the first step on.
   *
   * @returns `limit` as long as there may be more to do
   */
  sweep(before: string, limit: number): Promise<number>;
  /** As `sweep`, for everything of one author. @returns 0 when nothing is left */
  forgetOfAuthor(authorId: Id, limit: number): Promise<number>;
}

export interface RestoreRequest {
  readonly store: PostSlice & { readonly deletedPosts: DeletedPostStore };
  readonly viewer: Viewer;
  /** null for what is no id. */
  readonly id: Id | null;
  readonly once: Once | undefined;
  readonly readBack?: ReadBack | null;
}

/**
 * Makes a deleted post a draft, whatever it was before: readers see it again only when somebody publishes it.
 *
 * @returns its id, which is the one that it had
 * @throws AppError NOT_FOUND for a post that is not deleted, is gone for good, or is somebody else's, and for an author who leaves;
 * FORBIDDEN for a client that may write drafts only, KeyInUse
 */
export async function restoreDeletedPost(
  { store, viewer, id, once, readBack }: RestoreRequest,
  renderMarkdown: RenderMarkdown,
): Promise<Id> {
  if (isForDraftsOnly(viewer)) throw needsWriting();
  const post = id === null ? null : await store.deletedPosts.find(id);
  if (post === null || !mayRestore(viewer, post)) throw noDeletedPost();
  const { title, body, slug, excerpt, authorId, createdAt, publishedAt, version } = post;
  const rendered = await renderPost(renderMarkdown, { title, body });
  const text = { title, body, slug, excerpt, rendered };
  const back = {
    ...text,
    id: post.id,
    authorId,
    status: "DRAFT",
    createdAt,
    publishedAt,
    version: version + 1,
  } as const;
  await store.posts.restore(back, { by: changedBy(viewer) }, once, readBack);
  return post.id;
}

function mayRestore(viewer: Viewer, { authorId }: KeptPost): boolean {
  return seesUnpublished(viewer) || viewer.userId === authorId;
}

export function noDeletedPost(): AppError {
  return new AppError("NOT_FOUND", "There is no deleted post with this id.");
}

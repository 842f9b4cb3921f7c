import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { Viewer } from "../viewer.ts";
import type { PostState } from "./post.ts";
import { assertChangeable, noPost } from "./post-changes.ts";

/** Milliseconds for which an announcement counts. Clients repeat it every 15 seconds, so one may be lost. */
export const ANNOUNCEMENT_LASTS = 40_000;

export interface PersonEditing {
  readonly id: Id;
  readonly name: string;
}

/** A post as people see it who write it together. */
export interface EditedPost extends Pick<PostState, "id" | "authorId" | "status" | "version"> {
  /** Version of the working copy; 0 without one. */
  readonly workingVersion: number;
  /** People whose announcement counts, in the order of their ids. */
  readonly editing: readonly PersonEditing[];
}

export interface EditingStore {
  /** Notes that a person writes the post now. @throws KeyInUse */
  announce(postId: Id, userId: Id, once?: Once): Promise<void>;
  /**
   * Posts with these ids, as far as they exist, in any order. Never read from a copy of the database.
   *
   * @param milliseconds for which an announcement counts
   */
  look(postIds: readonly Id[], milliseconds: number): Promise<EditedPost[]>;
  /** Removes announcements that are older than this. @returns how many */
  sweep(milliseconds: number): Promise<number>;
}

export interface EditingSlice {
  readonly editing: EditingStore;
}

/** Tells followers how the posts stand that they follow. */
export interface EditingFeed {
  /**
   * @param take given the post soon, and then about every second, changed or not. Nothing comes while the post does not exist.
   * @returns how to end it
   */
  follow(postId: Id, take: (post: EditedPost) => void): () => void;
}

interface EditingRequest {
  readonly store: EditingSlice;
  readonly viewer: Viewer;
  /** Null for a text that is no id. */
  readonly id: Id | null;
}

/**
 * Tells others who may change the post that the viewer writes it.
 *
 * @returns the id of the post
 * @throws AppError NOT_FOUND for a post that the viewer does not see, FORBIDDEN for one that is not theirs to change
 */
export async function announceEditing({
  once,
  ...request
}: EditingRequest & { readonly once: Once | undefined }): Promise<Id> {
  const id = await findEdited(request);
  const { userId } = request.viewer;
  if (userId === null)
    throw new AppError("FORBIDDEN", "Only people write posts: this token stands for a client, not for a person.");
  await request.store.editing.announce(id, userId, once);
  return id;
}

/** @returns the id of a post that the viewer may follow while it is written @throws AppError as `announceEditing` */
export async function findEdited({ store, viewer, id }: EditingRequest): Promise<Id> {
  if (id === null) throw noPost();
  const [post = null] = await store.editing.look([id], ANNOUNCEMENT_LASTS);
  assertChangeable(viewer, post);
  return id;
}

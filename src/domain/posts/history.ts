import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { PostStatus } from "../post-status.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import { assertName } from "../text.ts";
import type { Viewer } from "../viewer.ts";
import type { PostState } from "./post.ts";
import { assertChangeable, noPost } from "./post-changes.ts";
import type { ChangedBy, PostText, RevisionKind } from "./revisions.ts";

/**
 * An entry in the history of a post. A post that nobody has changed has none. The first change of its text also keeps the text before;
 * a change of state alone keeps no text.
 */
interface Revision extends ChangedBy {
  readonly id: Id;
  readonly postId: Id;
  /** Version of the post after the change. */
  readonly version: number;
  readonly kind: RevisionKind;
  /** State of the post after the change. */
  readonly status: PostStatus;
  readonly createdAt: string;
  /** null where the change was one of state alone. */
  readonly text: PostText | null;
  /** null without one. */
  readonly name: string | null;
}

/** Post and revision of which a name is given, as text from outside was read. */
export interface RevisionName {
  readonly postId: Id;
  /** null for a text that is no id. */
  readonly revision: Id | null;
  /** null removes the name. */
  readonly name: string | null;
}

/** Revisions are written by the changes of posts and of working copies, within their transactions. */
export interface RevisionStore {
  /**
   * Revisions of all posts that this person has written, oldest first; those of deleted posts with `ofDeleted` alone.
   * @param after continues after the revision with this id
   */
  listOfPerson(
    userId: Id,
    page: { readonly after?: Id | undefined; readonly limit: number; readonly ofDeleted?: true },
  ): Promise<Revision[]>;
  /**
   * Names a revision that has a text, and changes nothing of its post. `decide` is asked within the transaction, and may be asked again.
   *
   * @throws what `decide` throws, KeyInUse, NOT_FOUND for a revision that the post does not have or that has no text
   */
  name(
    named: RevisionName,
    decide: (post: PostState | null) => void,
    once?: Once,
    readBack?: ReadBack | null,
  ): Promise<void>;
  /** Removes revisions from before this time, but for texts that were published. @returns how many, at most `limit` */
  sweep(before: string, limit: number): Promise<number>;
}

interface NameRequest {
  readonly store: { readonly revisions: RevisionStore };
  readonly viewer: Viewer;
  /** Id of the post; null for a text that is no id. */
  readonly id: Id | null;
  readonly revision: Id | null;
  readonly once: Once | undefined;
  readonly readBack?: ReadBack | null;
}

/**
 * Gives an earlier text of a post a name, or takes it away with null.
 *
 * @returns the id of the post
 * @throws AppError BAD_USER_INPUT for a name that breaks its rules, NOT_FOUND for a post that the viewer does not see and for a revision
 * that the post does not have or that has no text, FORBIDDEN for a post that is not theirs to change
 */
export async function nameRevision(
  { store, viewer, id, revision, once, readBack }: NameRequest,
  name: string | null,
): Promise<Id> {
  if (name !== null) assertName("name", name);
  if (id === null) throw noPost();
  await store.revisions.name({ postId: id, revision, name }, (post) => assertChangeable(viewer, post), once, readBack);
  return id;
}

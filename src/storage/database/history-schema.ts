import type { Id } from "../../domain/id.ts";
import type { PostStatus } from "../../domain/post-status.ts";
import type { HeldBecause } from "../../domain/posts/planned-update.ts";
import type { RevisionKind } from "../../domain/posts/revisions.ts";

/** Tables of the history, of working copies and of deleted posts, as the newest migration leaves them: see schema.ts. */
export interface HistorySchema {
  readonly post_working_copies: WorkingCopyTable;
  readonly post_revisions: RevisionTable;
  readonly deleted_posts: DeletedPostTable;
  readonly post_planned_updates: PlannedUpdateTable;
}

interface WorkingCopyTable {
  readonly post_id: Id;
  readonly version: number;
  readonly base_version: number;
  /** 0 once it was applied or discarded: the row stays without its text, so that no version comes twice. */
  readonly is_open: number;
  /** The revision whose text this is, unchanged since `restoreRevision` has brought it back. */
  readonly restored_from: Id | null;
  readonly updated_at: string;
  readonly updated_by: Id | null;
  readonly slug: string | null;
  readonly excerpt: string | null;
  readonly title: string;
  readonly body: string;
}

interface RevisionTable {
  readonly id: Id;
  readonly post_id: Id;
  readonly version: number;
  readonly kind: RevisionKind;
  readonly status: PostStatus;
  readonly created_at: string;
  readonly person_id: Id | null;
  readonly client_id: string | null;
  /** 1 for what was published: it stays for as long as the post. */
  readonly is_kept: number;
  readonly slug: string | null;
  readonly excerpt: string | null;
  /** These two are null where the change was one of state alone. */
  readonly title: string | null;
  readonly body: string | null;
  /** null without one. */
  readonly name: string | null;
}

/**
 * A post that was deleted, as it was then. Its revisions and its working copy stay with it, where only the restored post shows them. The
 * row without a title can no longer be restored: it waits until they are removed.
 */
interface DeletedPostTable {
  /** Id of the post. */
  readonly id: Id;
  readonly author_id: Id;
  readonly deleted_at: string;
  /** null for the server itself, and after that person is deleted. */
  readonly deleted_by: Id | null;
  readonly status: PostStatus;
  readonly version: number;
  readonly created_at: string;
  /** null for a post that was never published. */
  readonly published_at: string | null;
  /** One that a person chose, or of a post that was ever published. */
  readonly slug: string | null;
  /** One that a person wrote. */
  readonly excerpt: string | null;
  readonly title: string | null;
  readonly body: string | null;
}

/** A text that becomes that of a published post at a time. */
interface PlannedUpdateTable {
  readonly post_id: Id;
  readonly publish_at: string;
  readonly publish_at_zone: string | null;
  /** Set when the time has come and the update could not be made. Nothing happens to it any more then. */
  readonly held_because: HeldBecause | null;
  /** Version of the post that the update follows. */
  readonly base_version: number;
  /** Version of the working copy whose text this is. */
  readonly working_version: number;
  /** 1 for a text that `restoreRevision` has brought back. */
  readonly is_restored: number;
  readonly planned_at: string;
  readonly person_id: Id | null;
  readonly client_id: string | null;
  readonly slug: string | null;
  readonly excerpt: string | null;
  readonly title: string;
  readonly body: string;
}

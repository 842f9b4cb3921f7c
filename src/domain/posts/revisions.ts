import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Viewer } from "../viewer.ts";

/** `PostRevisionKind` of the schema. */
export type RevisionKind =
  | "CREATED"
  | "APPLIED"
  | "PUBLISHED"
  | "UNPUBLISHED"
  | "ARCHIVED"
  | "SCHEDULED"
  | "RESTORED"
  | "MERGED";

/** The person and the OAuth client that made a change. Both are null for the server itself. */
export interface ChangedBy {
  readonly userId: Id | null;
  readonly clientId: string | null;
}

export function changedBy({ userId, clientId }: Viewer): ChangedBy {
  return { userId, clientId };
}

/** The text of a post as people write it, without what is derived from it. */
export interface PostText {
  readonly title: string;
  readonly body: string;
  /** null: follows the title until the first publication, then stays. */
  readonly slug: string | null;
  /** null: derived from the body. */
  readonly excerpt: string | null;
}

export function noSuchText(): AppError {
  return new AppError("NOT_FOUND", "The post has no revision with this id that has a text.");
}

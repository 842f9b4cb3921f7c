import { type Id, parseId } from "../id.ts";
import { seesUnpublished, type Viewer } from "../viewer.ts";
import { type ContentEvent, isOfPost, type PostEventType } from "./event.ts";

/** An event of a post, with what decides who is told of it. */
export interface PostEvent {
  readonly id: Id;
  readonly type: PostEventType;
  readonly postId: Id;
  readonly authorId: Id;
  readonly occurredAt: string;
  /** Whether it is of what everybody may read, or says that they may no longer. */
  readonly isPublic: boolean;
}

/** null for an event of something else. Does not throw. */
export function readPostEvent({ id, type, subjectId, occurredAt, data }: ContentEvent): PostEvent | null {
  if (!isOfPost(type)) return null;
  const { status, previousStatus, authorId } = JSON.parse(data) as Readonly<Record<string, unknown>>;
  const author = typeof authorId === "string" ? parseId(authorId) : null;
  if (author === null) return null; // nothing can be told of it
  const isPublic = status === "PUBLISHED" || previousStatus === "PUBLISHED";
  return { id, type, postId: subjectId, authorId: author, occurredAt, isPublic };
}

/** Those who see the same of one post: everything of everybody's, as its author, what is published. */
export type Audience = "all" | "author" | "public";

/** To which audience of the post a viewer belongs; null where they may not know of the event. */
export function audienceOf(viewer: Viewer, { authorId, isPublic }: PostEvent): Audience | null {
  if (seesUnpublished(viewer)) return "all";
  if (viewer.userId === authorId) return "author";
  return isPublic ? "public" : null;
}

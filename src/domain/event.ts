import type { Id } from "./id.ts";

/** What has happened to content. Written in the transaction of the change itself, read by the relay after commit. */
export type EventType =
  | "post.created"
  | "post.updated"
  | "post.published"
  | "post.unpublished"
  | "post.archived"
  | "post.deleted"
  | "user.updated";

export interface ContentEvent {
  readonly id: Id;
  readonly type: EventType;
  /** The object that changed. */
  readonly subjectId: Id;
  readonly occurredAt: string;
  /** JSON text. */
  readonly data: string;
}

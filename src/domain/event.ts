import type { Id } from "./id.ts";

/** What has happened to content. Written in the transaction of the change itself, read by the relay after commit. */
export const EVENT_TYPES = [
  "post.created",
  "post.updated",
  "post.published",
  "post.unpublished",
  "post.archived",
  "post.deleted",
  "user.updated",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export interface ContentEvent {
  readonly id: Id;
  readonly type: EventType;
  /** The object that changed. */
  readonly subjectId: Id;
  readonly occurredAt: string;
  /** JSON text. */
  readonly data: string;
}

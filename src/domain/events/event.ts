import type { Id } from "../id.ts";

/** Changes of content and of people. Each is written in the transaction of the change, and read by the relay after the commit. */
export const EVENT_TYPES = [
  "post.created",
  "post.updated",
  "post.published",
  "post.unpublished",
  "post.archived",
  "post.deleted",
  "user.created",
  "user.updated",
  "user.email-changed",
  "user.deleted",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
export type PostEventType = Extract<EventType, `post.${string}`>;

export function isOfPost(type: EventType): type is PostEventType {
  return type.startsWith("post.");
}

export interface ContentEvent {
  readonly id: Id;
  readonly type: EventType;
  /** The object that changed. */
  readonly subjectId: Id;
  readonly occurredAt: string;
  /** JSON text. */
  readonly data: string;
}

/** Hands out events of every process after their commit, in the order of their ids; each at most once to each follower. */
export interface EventFeed {
  /**
   * Events are read, and can be followed, from when this resolves until what it resolves to is called.
   * @throws AppError UNAVAILABLE
   */
  hold(): Promise<() => void>;
  /**
   * For who holds the feed.
   * @param after begins with the first event after this id; null: with the first one from now on
   * @returns how to end it
   */
  follow(after: Id | null, follower: EventFollower): () => void;
}

export interface EventFollower {
  /** Must neither throw nor reject. The next event comes when the promise has resolved. */
  take(event: ContentEvent): void | Promise<void>;
  /** Whether it can take one more now. */
  hasRoom(): boolean;
  /** Resolves when it has room, or has ended. Must not reject. */
  untilRoom(): Promise<void>;
}

export interface OutboxStore {
  /** Events after the given id (null: from the beginning), oldest first. */
  list(after: Id | null, limit: number): Promise<ContentEvent[]>;
  /** The id of the newest event, null when there is none. Whatever is committed from now on comes after it in `list`. */
  last(): Promise<Id | null>;
}

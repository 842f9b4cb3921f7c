import { AppError } from "./errors.ts";
import type { Id } from "./id.ts";
import type { Store } from "./store.ts";
import { assertText } from "./text.ts";
import type { Viewer } from "./viewer.ts";

const TITLE_LENGTH = { min: 1, max: 300 } as const;
const BODY_LENGTH = { min: 0, max: 1_048_576 } as const;

export const POST_STATUSES = ["DRAFT", "PUBLISHED", "ARCHIVED"] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

export interface NewPost {
  readonly authorId: Id;
  readonly title: string;
  readonly body: string;
  /** PUBLISHED unless told otherwise. */
  readonly status?: PostStatus;
  /** When a draft is to be published: RFC 3339, UTC, milliseconds. */
  readonly publishAt?: string | null;
  /** Without it, `renderOldPosts` comes later. */
  readonly rendered?: RenderedPost;
}

/** What is derived from title and body once, when they are written. */
export interface RenderedPost {
  /** For addresses: see `slugOf`. Where another post has it already, a suffix is added. */
  readonly slug: string;
  readonly wordCount: number;
  readonly excerpt: string;
  readonly bodyHtml: string;
}

/**
 * Creates and publishes a post whose author is the viewer.
 *
 * @returns the id of the new post, which is durable by then
 * @throws AppError FORBIDDEN for a viewer without a person, BAD_USER_INPUT for a rule broken
 */
export async function createPost(store: Store, viewer: Viewer, input: { title: string; body: string }): Promise<Id> {
  if (viewer.userId === null) {
    throw new AppError("FORBIDDEN", "A post needs an author: this token stands for a client, not for a person.");
  }
  assertText("input.title", input.title, TITLE_LENGTH);
  assertText("input.body", input.body, BODY_LENGTH);
  return store.posts.create({ authorId: viewer.userId, title: input.title, body: input.body });
}

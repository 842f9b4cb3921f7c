import { AppError, badInput, badInputs } from "./errors.ts";
import type { Id } from "./id.ts";
import type { Once } from "./idempotency.ts";
import { type RenderMarkdown, renderPost } from "./rendering.ts";
import type { ReadBack, Store } from "./store.ts";
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

/** What a person may give. Without `status`, the post is published at once. */
export interface PostContent {
  readonly title: string;
  readonly body: string;
  readonly status?: PostStatus | null;
  /** As `NewPost.publishAt`. A moment of the past is now. */
  readonly publishAt?: string | null;
}

interface PostCreation {
  readonly store: Store;
  readonly viewer: Viewer;
  readonly once: Once | undefined;
  readonly readBack?: ReadBack | null;
}

/**
 * Creates a post whose author is the viewer.
 *
 * @returns the id of the new post, which is durable by then
 * @throws AppError FORBIDDEN for a viewer without a person, BAD_USER_INPUT for a rule broken
 */
export async function createPost(
  { store, viewer, once, readBack }: PostCreation,
  input: PostContent,
  renderMarkdown: RenderMarkdown,
): Promise<Id> {
  if (viewer.userId === null) {
    throw new AppError("FORBIDDEN", "A post needs an author: this token stands for a client, not for a person.");
  }
  const { title, body, status = "PUBLISHED", publishAt = null } = input;
  badInputs([
    () => assertTitle("input.title", title),
    () => assertBody("input.body", body),
    () => assertBeginning(status, publishAt),
  ]);
  const rendered = await renderPost(renderMarkdown, { title, body });
  return store.posts.create(
    { authorId: viewer.userId, title, body, status: status ?? "PUBLISHED", publishAt, rendered },
    once,
    readBack,
  );
}

/** @throws AppError BAD_USER_INPUT */
export function assertTitle(field: string, title: string | null): void {
  if (title === null) throw badInput(field, `${field} must not be null.`);
  assertText(field, title, TITLE_LENGTH);
}

/** @throws AppError BAD_USER_INPUT */
export function assertBody(field: string, body: string | null): void {
  if (body === null) throw badInput(field, `${field} must not be null.`);
  assertText(field, body, BODY_LENGTH);
}

function assertBeginning(status: PostStatus | null, publishAt: string | null): void {
  if (status === null) throw badInput("input.status", "input.status must not be null.");
  if (status === "ARCHIVED") throw badInput("input.status", "input.status must be DRAFT or PUBLISHED.");
  if (publishAt !== null && status !== "DRAFT")
    throw badInput("input.publishAt", "input.publishAt is for drafts: input.status must be DRAFT.");
}

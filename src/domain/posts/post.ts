import { AppError, badInput, badInputs } from "../errors.ts";
import type { EventType } from "../events/event.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { PostStatus } from "../post-status.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import { assertText } from "../text.ts";
import type { Viewer } from "../viewer.ts";
import { type RenderedPost, type RenderMarkdown, renderPost } from "./rendering.ts";

const TITLE_LENGTH = { min: 1, max: 300 } as const;
const BODY_LENGTH = { min: 0, max: 1_048_576 } as const;

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

/** What a person may give. Without `status`, the post is published at once. */
export interface PostContent {
  readonly title: string;
  readonly body: string;
  readonly status?: PostStatus | null;
  /** As `NewPost.publishAt`. A moment of the past is now. */
  readonly publishAt?: string | null;
}

/** The part of the store that changes of posts need. */
export interface PostSlice {
  readonly posts: PostStore;
}

interface PostCreation {
  readonly store: PostSlice;
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

export interface PostStore {
  /** Posts that have nothing yet of what is derived from title and body (`RenderedPost`), those that were written first. */
  listUnrendered(limit: number): Promise<{ id: Id; title: string; body: string }[]>;
  /** Keeps what is derived from a post, with a suffix to the slug where another has it; nothing where that was done already. */
  keepRendered(id: Id, rendered: RenderedPost): Promise<void>;
  /**
   * Writes the post and its `post.created` event in one transaction.
   * @throws NOT_FOUND when the author is missing, KeyInUse
   */
  create(post: NewPost, once?: Once, readBack?: ReadBack | null): Promise<Id>;
  /**
   * Reads the post, asks what is to become of it, and writes that with its event, all in one transaction. Each change counts
   * the version up. The decision may be asked for again, with the post as it is then. With `once`, that something was decided
   * is remembered even where nothing is to change.
   * @throws what `decide` throws, KeyInUse
   */
  edit(id: Id, decide: PostDecision, once?: Once): Promise<void>;
  /** Drafts whose `publishAt` is not after `now`, those that have waited longest first. */
  listDue(now: string, limit: number): Promise<Id[]>;
}

/** A post as far as the rules of its life look at it. */
export interface PostState {
  readonly id: Id;
  readonly authorId: Id;
  readonly status: PostStatus;
  readonly version: number;
  readonly publishAt: string | null;
}

/** What is to become of a post: its event says it, the rest what is to be written with it. */
export interface PostChange {
  /** After `post.deleted` nothing is left of the post. */
  readonly event: Exclude<EventType, "post.created" | "user.updated">;
  readonly status?: PostStatus;
  readonly title?: string;
  /** Of a new title. Only a post that was never published takes it: addresses stay. */
  readonly slug?: string;
  readonly body?: string;
  /** Of a new body. */
  readonly rendered?: { readonly wordCount: number; readonly excerpt: string; readonly bodyHtml: string };
  readonly publishAt?: string | null;
}

/** Decides about the post as it is, null for none. null leaves it as it is. What it throws is thrown by `PostStore.edit`. */
export type PostDecision = (post: PostState | null) => PostChange | null;

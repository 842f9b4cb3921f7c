import { AppError, badInput, badInputs } from "../errors.ts";
import type { PostEventType } from "../events/event.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { PostStatus } from "../post-status.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import {
  POST_FIELDS,
  type PostInput,
  type StoredField,
  WRITABLE_FIELDS,
  type WritableField,
  type WrittenPost,
} from "../reading/stored-fields.ts";
import { assertText } from "../text.ts";
import { type AgentAct, agentAct, type Viewer } from "../viewer.ts";
import { assertExcerpt, assertSlug, assertZone } from "./chosen-texts.ts";
import { isForDraftsOnly, needsWriting, staysDraft } from "./drafts-only.ts";
import { type RenderedPost, type RenderMarkdown, renderPost } from "./rendering.ts";
import type { ChangedBy } from "./revisions.ts";
import type { DeletedPost, Return, Trail } from "./trail.ts";

export type NewPost = WrittenPost & {
  readonly authorId: Id;
  /** Defaults to PUBLISHED. */
  readonly status?: PostStatus;
  /** Without it, `renderOldPosts` renders the post later. */
  readonly rendered?: RenderedPost;
};

/** Fields of a new post. A draft whose `publishAt` is past is published immediately. */
export type PostContent = WrittenPost & {
  /** Defaults to PUBLISHED. Typed clients send null for what their program leaves out. */
  readonly status?: PostStatus | null;
};

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
 * @returns the id of the new post, which is then durable
 * @throws AppError FORBIDDEN for a viewer without a person, and for all but drafts with `posts:draft` alone, BAD_USER_INPUT for a rule broken
 */
export async function createPost(
  { store, viewer, once, readBack }: PostCreation,
  input: PostContent,
  renderMarkdown: RenderMarkdown,
): Promise<Id> {
  if (viewer.userId === null) {
    throw new AppError("FORBIDDEN", "A post needs an author: this token stands for a client, not for a person.");
  }
  if (isForDraftsOnly(viewer) && !staysDraft(input)) throw needsWriting();
  const { status: given, ...written } = input;
  const status = given ?? "PUBLISHED";
  badInputs([...writingRules(written), () => assertBeginning(status, written)]);
  const rendered = await renderPost(renderMarkdown, written);
  return store.posts.create(
    { ...written, authorId: viewer.userId, status, rendered },
    once,
    readBack,
    agentAct(viewer),
  );
}

/** The rules of `POST_FIELDS` for the fields that are given, which errors name with this prefix. Each throws AppError BAD_USER_INPUT where its field breaks it. */
export function writingRules(input: PostInput, prefix = "input."): (() => void)[] {
  return WRITABLE_FIELDS.map((name) => () => {
    const { ifMissing, length }: StoredField = POST_FIELDS[name];
    const value = input[name];
    const field = prefix + name;
    if (value === null && ifMissing === undefined) throw badInput(field, `${field} must not be null.`);
    if (typeof value !== "string") return;
    if (length !== undefined) assertText(field, value, length);
    OTHER_RULES[name]?.(field, value);
  });
}

const OTHER_RULES: { readonly [Name in WritableField]?: (field: string, value: string) => void } = {
  slug: assertSlug,
  excerpt: assertExcerpt,
  publishAtZone: assertZone,
};

function assertBeginning(status: PostStatus, { publishAt = null, publishAtZone = null }: WrittenPost): void {
  if (status === "ARCHIVED") throw badInput("input.status", "input.status must be DRAFT or PUBLISHED.");
  if (publishAt !== null && status !== "DRAFT")
    throw badInput("input.publishAt", "input.publishAt is for drafts: input.status must be DRAFT.");
  assertZoneOf(publishAt, publishAtZone);
}

/** @throws AppError BAD_USER_INPUT for a zone of no time */
export function assertZoneOf(
  publishAt: string | null,
  publishAtZone: string | null | undefined,
  prefix = "input.",
): void {
  if (publishAtZone != null && publishAt === null)
    throw badInput(
      `${prefix}publishAtZone`,
      `${prefix}publishAtZone belongs to a publication time: give ${prefix}publishAt too.`,
    );
}

export interface PostStore {
  /** Posts that have nothing yet of what is derived from title and body (`RenderedPost`), those that were written first. */
  listUnrendered(limit: number): Promise<{ id: Id; title: string; body: string }[]>;
  /** Keeps what is derived from a post, with a suffix to the slug where another has it; nothing where that was done already. */
  keepRendered(id: Id, rendered: RenderedPost): Promise<void>;
  /** Takes posts that the search does not know into its index, after an upgrade for example. @returns how many it found */
  reindex(limit: number): Promise<number>;
  /**
   * Writes the post, its `post.created` event and, for an agent, its trail in one transaction.
   * @throws NOT_FOUND when the author is missing, BAD_USER_INPUT for a slug that another post has or had, KeyInUse
   */
  create(post: NewPost, once?: Once, readBack?: ReadBack | null, act?: AgentAct): Promise<Id>;
  /**
   * Reads the post, asks what is to become of it, and writes that with its event, all in one transaction. Each change counts
   * the version up. The decision may be asked for again, with the post as it is then. With `once`, that something was decided
   * is remembered even where nothing is to change.
   * @param trail what is written with the change for or about an agent
   * @throws what `decide` throws, BAD_USER_INPUT for a slug that another post has or had, KeyInUse, CONFLICT for changes of an agent that
   * were taken back before
   */
  edit(id: Id, decide: PostDecision, once?: Once, readBack?: ReadBack | null, trail?: Trail): Promise<void>;
  /**
   * Creates a deleted post again, with its id, times and history and its `post.created` event. Lists that go by creation show it where
   * it stood, so a reader who has passed that place does not see it.
   * @throws CONFLICT for a post that is there, and as `edit`; NOT_FOUND when the author is missing, or leaves, and with `by` for a post
   * that `DeletedPostStore` no longer has
   */
  restore(post: DeletedPost, how: Return, once?: Once, readBack?: ReadBack | null): Promise<void>;
  /** Some posts of the author, in whatever status. */
  listIdsOfAuthor(authorId: Id, limit: number): Promise<Id[]>;
  /** Posts of the author in this status, newest first. @param after continues with posts older than this one */
  listOfAuthor(
    authorId: Id,
    page: {
      readonly status: PostStatus;
      readonly after?: Pick<OwnPost, "createdAt" | "id"> | undefined;
      readonly limit: number;
    },
  ): Promise<OwnPost[]>;
  /** Drafts whose `publishAt` is not after `now`, those that have waited longest first. */
  listDue(now: string, limit: number): Promise<Id[]>;
}

/** A post as its author has written it, without what is derived from its text. */
interface OwnPost {
  readonly id: Id;
  readonly title: string;
  readonly body: string;
  readonly slug: string;
  readonly status: PostStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** null for a post that was never published. */
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly version: number;
}

/** A post as far as the rules of its life look at it. */
export interface PostState {
  readonly id: Id;
  readonly authorId: Id;
  readonly status: PostStatus;
  readonly version: number;
  readonly title: string;
  readonly publishAt: string | null;
  readonly updatedAt: string;
}

/** The change of a post: the event that announces it, and the values that are written with it. */
export type PostChange = Partial<WrittenPost> & {
  /** After `post.deleted` the post is in `DeletedPostStore` alone. */
  readonly event: Exclude<PostEventType, "post.created">;
  readonly status?: PostStatus;
  /** Slug for the title. A post that was ever published, or whose slug a person chose, keeps the one it has. */
  readonly titleSlug?: string;
  /** Derived from the new body. */
  readonly rendered?: Omit<RenderedPost, "slug">;
  /** For the history; missing for the server itself. */
  readonly by?: ChangedBy;
  /** Whether the text is one from the history. */
  readonly isRestored?: boolean;
};

/** Decides about the current post, or null. The result null changes nothing. `PostStore.edit` throws what it throws. */
export type PostDecision = (post: PostState | null) => PostChange | null;

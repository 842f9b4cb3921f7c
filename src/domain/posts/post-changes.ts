import { AppError, badInput, badInputs } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import type { PostInput, WrittenPost } from "../reading/stored-fields.ts";
import { agentAct, seesUnpublished, type Viewer } from "../viewer.ts";
import { assertDraftsOnly, isForDraftsOnly } from "./drafts-only.ts";
import { assertZoneOf, type PostChange, type PostSlice, type PostState, type PostStore, writingRules } from "./post.ts";
import { type RenderMarkdown, renderBody, slugOf } from "./rendering.ts";
import { changedBy } from "./revisions.ts";

/** A change of a post: the viewer, the post, and the conditions. */
export interface PostRequest {
  readonly store: PostSlice;
  readonly viewer: Viewer;
  /** null for what is no id. */
  readonly id: Id | null;
  /** The change is refused when the post has another version; null for whichever. */
  readonly expectedVersion: number | null;
  readonly once: Once | undefined;
  readonly readBack?: ReadBack | null;
}

/**
 * @returns the id of the post, whose change is then durable
 * @throws AppError BAD_USER_INPUT for rules broken, NOT_FOUND for a post that the viewer does not see, FORBIDDEN for one that
 * is not theirs to change, or not with `posts:draft` alone, CONFLICT with the present `version` when it is not the expected one
 */
export async function updatePost(request: PostRequest, input: PostInput, renderMarkdown: RenderMarkdown): Promise<Id> {
  badInputs(writingRules(input));
  const { publishAt, publishAtZone, ...written } = input as Partial<WrittenPost>; // the rules leave null only where it is a value
  const texts = await changedTexts(written, renderMarkdown);
  return edit(request, (post) => {
    const times = newTimes("input.", post, { publishAt, publishAtZone });
    const change = { ...texts, ...titleSlugOf(written, post), ...times };
    return Object.keys(change).length === 0 ? null : { event: "post.updated", ...change };
  });
}

type Texts = Omit<Partial<WrittenPost>, "publishAt" | "publishAtZone">;

/** Texts that were checked, with what is derived from the body. */
export async function changedTexts(
  written: Texts,
  renderMarkdown: RenderMarkdown,
): Promise<Texts & Pick<PostChange, "rendered">> {
  const { body } = written;
  return { ...written, ...(body === undefined ? {} : { rendered: await renderBody(renderMarkdown, body) }) };
}

/** Posts whose slug may have to follow the title. */
export function titleSlugOf({ title, slug }: Texts, { title: present }: PostState): Pick<PostChange, "titleSlug"> {
  return title === undefined && slug !== null ? {} : { titleSlug: slugOf(title ?? present) };
}

/**
 * A zone belongs to its time: another time without a zone has none.
 *
 * @param prefix of the fields, in errors
 * @throws AppError BAD_USER_INPUT for a time of what is no draft, and for a zone of no time
 */
export function newTimes(
  prefix: string,
  { status, publishAt: planned }: PostState,
  {
    publishAt,
    publishAtZone,
  }: { readonly publishAt: string | null | undefined; readonly publishAtZone: string | null | undefined },
): Pick<PostChange, "publishAt" | "publishAtZone"> {
  const field = `${prefix}publishAt`;
  if (publishAt != null && status !== "DRAFT")
    throw badInput(field, `${field} is for drafts, and this post is not a draft.`);
  assertZoneOf(publishAt === undefined ? planned : publishAt, publishAtZone, prefix);
  if (publishAt !== undefined && publishAt !== planned) return { publishAt, publishAtZone: publishAtZone ?? null };
  return publishAtZone === undefined ? {} : { publishAtZone };
}

/** Makes a draft public. @returns and @throws as `updatePost`; CONFLICT for an archived post too */
export function publishPost(request: PostRequest): Promise<Id> {
  return edit(request, publicationOnRequest);
}

/** @throws AppError CONFLICT for an archived post */
export function publicationOnRequest(post: PostState): PostChange | null {
  if (post.status === "ARCHIVED") throw wrongStatus(post, "Unpublish it first, which makes it a draft again.");
  return publication(post);
}

/** Makes a draft of a post again. @returns and @throws as `updatePost` */
export function unpublishPost(request: PostRequest): Promise<Id> {
  return edit(request, ({ status }) => (status === "DRAFT" ? null : { event: "post.unpublished", status: "DRAFT" }));
}

/** Takes a published post out of sight. @returns and @throws as `updatePost`; CONFLICT for a draft too */
export function archivePost(request: PostRequest): Promise<Id> {
  return edit(request, (post) => {
    if (post.status === "DRAFT") throw wrongStatus(post, "Only what was published can be archived.");
    return post.status === "ARCHIVED" ? null : { event: "post.archived", status: "ARCHIVED" };
  });
}

/** @returns and @throws as `updatePost` */
export function deletePost(request: PostRequest): Promise<Id> {
  return edit(request, () => ({ event: "post.deleted" }));
}

/**
 * Publishes drafts whose time has come. Any number of processes may do so at the same time: each post is published once.
 *
 * @param now RFC 3339, UTC, milliseconds
 * @param limit the most that are returned
 * @returns how many were due
 */
export async function publishDuePosts(posts: PostStore, now: string, limit: number): Promise<number> {
  const due = await posts.listDue(now, limit);
  // At the same time, so that they share a commit; one that fails holds up none of the others.
  const edits = await Promise.allSettled(
    due.map((id) =>
      posts.edit(id, (post) =>
        post === null || post.publishAt === null || post.publishAt > now ? null : publication(post),
      ),
    ),
  );
  for (const edit of edits) if (edit.status === "rejected") throw edit.reason;
  return due.length;
}

/**
 * Deletes posts of a person who goes. Any number of processes may do so at the same time.
 *
 * @param limit the most that are deleted
 * @returns how many there were to delete
 */
export async function deletePostsOf(posts: PostStore, authorId: Id, limit: number): Promise<number> {
  const found = await posts.listIdsOfAuthor(authorId, limit);
  await Promise.all(
    found.map((id) => posts.edit(id, (post) => (post?.authorId === authorId ? { event: "post.deleted" } : null))),
  );
  return found.length;
}

function publication({ status }: PostState): PostChange | null {
  return status === "DRAFT"
    ? { event: "post.published", status: "PUBLISHED", publishAt: null, publishAtZone: null }
    : null;
}

async function edit(
  { store, viewer, id, expectedVersion, once, readBack }: PostRequest,
  change: (post: PostState) => PostChange | null,
): Promise<Id> {
  if (id === null) throw noPost();
  const act = agentAct(viewer);
  await store.posts.edit(
    id,
    (post) => {
      assertChangeable(viewer, post);
      assertVersion(post, expectedVersion);
      const decided = change(post);
      if (isForDraftsOnly(viewer)) assertDraftsOnly(viewer, post, decided);
      return decided && { ...decided, by: changedBy(viewer) };
    },
    once,
    readBack,
    act && { act },
  );
  return id;
}

type Owned = Pick<PostState, "authorId" | "status">;

/** Whether the viewer is the author, an editor or an administrator. */
export function isChangeable(viewer: Viewer, { authorId }: Owned): boolean {
  return seesUnpublished(viewer) || (viewer.userId !== null && viewer.userId === authorId);
}

/**
 * A post that the viewer may not see does not exist for the viewer.
 *
 * @throws AppError NOT_FOUND, FORBIDDEN
 */
export function assertChangeable<Post extends Owned>(viewer: Viewer, post: Post | null): asserts post is Post {
  if (post === null) throw noPost();
  if (isChangeable(viewer, post)) return;
  if (post.status !== "PUBLISHED") throw noPost();
  throw new AppError("FORBIDDEN", "Only its author, editors and administrators may change this post.");
}

/** @param expected null for whichever @throws AppError CONFLICT with the present `version` */
export function assertVersion({ version }: PostState, expected: number | null): void {
  if (expected === null || expected === version) return;
  throw new AppError("CONFLICT", `The post has changed: it has version ${version} now.`, { version });
}

export function noPost(): AppError {
  return new AppError("NOT_FOUND", "There is no post with this id.");
}

/** The versions are not the ones that the caller knows. */
export function conflict({ version }: PostState, copy: { readonly version: number }): AppError {
  const copyNow = copy.version === 0 ? "has no working copy" : `has a working copy of version ${copy.version}`;
  const message = `The text has changed: the post has version ${version} now, and ${copyNow}.`;
  return new AppError("CONFLICT", message, { version, workingVersion: copy.version });
}

function wrongStatus({ status, version }: PostState, advice: string): AppError {
  return new AppError("CONFLICT", `The post is ${status}. ${advice}`, { version });
}

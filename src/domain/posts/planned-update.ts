import { AppError, badInput } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import type { PostChange, PostState } from "./post.ts";
import {
  assertChangeable,
  assertVersion,
  changedTexts,
  noPost,
  type PostRequest,
  titleSlugOf,
} from "./post-changes.ts";
import type { RenderMarkdown } from "./rendering.ts";
import { type ChangedBy, changedBy, type PostText } from "./revisions.ts";
import type { CopyState } from "./working-copy.ts";

/** `PlannedUpdateHold` of the schema: the reason why an update was not made at its time. It then waits for a person. */
export type HeldBecause = "POST_CHANGED" | "SLUG_TAKEN";

/** The parts of a planned update that tell it from another one of the same post. */
interface PlanKey {
  readonly publishAt: string;
  readonly workingVersion: number;
  readonly plannedAt: string;
}

/** A planned update as far as its rules look at it. */
export interface PlanState extends PlanKey {
  readonly baseVersion: number;
  readonly heldBecause: HeldBecause | null;
  readonly isRestored: boolean;
  readonly by: ChangedBy;
}

interface PlannedText extends PlanState {
  readonly text: PostText;
  /** Fields that the post has otherwise. */
  readonly differing: readonly (keyof PostText)[];
}

/** The working copy of a published post becomes its text at this time. */
export interface NewPlan {
  /** RFC 3339, UTC, milliseconds. */
  readonly publishAt: string;
  /** IANA name. */
  readonly publishAtZone: string | null;
  readonly by: ChangedBy;
  /** The new slug, where the update changes it. */
  readonly slug?: string | null | undefined;
}

/**
 * A published post has one planned update at most. It holds its own copy of the text, so that later writing is not part of it. It ends
 * when the post is no longer published, and when its working copy is applied; `CopyChange` says when it ends with a copy that is discarded.
 * `decide` is asked within the transaction, and may be asked again. It throws what the caller is told.
 */
export interface PlannedUpdateStore {
  /**
   * Copies the text of the working copy, in place of an earlier planned update. Nothing of the post changes: no version, no event.
   * @throws what `decide` throws, BAD_USER_INPUT for a slug that another post has or had, KeyInUse
   */
  plan(
    id: Id,
    decide: (post: PostState | null, copy: CopyState) => NewPlan,
    once?: Once,
    readBack?: ReadBack | null,
  ): Promise<void>;
  /** Removes the planned update, if there is one. @throws what `decide` throws, KeyInUse */
  cancel(id: Id, decide: (post: PostState | null) => void, once?: Once, readBack?: ReadBack | null): Promise<void>;
  /** Posts with an update that is due and not held back, those that have waited longest first. */
  listDue(now: string, limit: number): Promise<Id[]>;
  /** Never read from a copy of the database. */
  find(postId: Id): Promise<PlannedText | null>;
  /**
   * Changes the post as `PostStore.edit` does, and ends the update with it; or holds the update back; or does nothing, with null. A working
   * copy with the text of the update ends too. A later copy goes on from the new version of the post.
   * @throws as `PostStore.edit`
   */
  carryOut(
    id: Id,
    decide: (post: PostState, plan: PlanState) => PostChange | { readonly heldBecause: HeldBecause } | null,
  ): Promise<void>;
  /** Texts that this person has planned. @param after continues after the post with this id */
  listOfPerson(
    userId: Id,
    page: { readonly after?: Id | undefined; readonly limit: number },
  ): Promise<(PostText & { readonly postId: Id; readonly publishAt: string })[]>;
}

export interface PlanRequest extends Omit<PostRequest, "store" | "expectedVersion"> {
  readonly store: { readonly plannedUpdates: PlannedUpdateStore };
}

/**
 * Cancels the planned update of a post. Nothing of the post or its working copy changes.
 *
 * @returns the id of the post
 * @throws AppError NOT_FOUND, FORBIDDEN as `updatePost`, CONFLICT with the present `version` when it is not the expected one
 */
export async function cancelPlannedUpdate(
  { store, viewer, id, once, readBack }: PlanRequest,
  expectedVersion: number | null,
): Promise<Id> {
  if (id === null) throw noPost();
  const decide = (post: PostState | null) => {
    assertChangeable(viewer, post);
    assertVersion(post, expectedVersion);
  };
  await store.plannedUpdates.cancel(id, decide, once, readBack);
  return id;
}

/** Plans the text of a working copy. @param assertVersions throws where post or copy are not as expected */
export async function planUpdate(
  { store, viewer, once, readBack }: PlanRequest,
  id: Id,
  assertVersions: (post: PostState, copy: CopyState) => void,
  {
    text,
    publishAt,
    publishAtZone,
  }: Pick<NewPlan, "publishAt" | "publishAtZone"> & { readonly text: Partial<PostText> },
): Promise<void> {
  // The trail from which changes by programs are taken back is written with the change, and this one is made later by the server.
  if (viewer.agent !== undefined)
    throw new AppError("FORBIDDEN", "A program cannot plan an update through a tool. Update the post now instead.");
  if (Object.keys(text).length === 0)
    throw badInput("publishAt", "publishAt is for changes, and the post has this text already.");
  const decide = (post: PostState | null, copy: CopyState): NewPlan => {
    assertChangeable(viewer, post);
    assertVersions(post, copy);
    return { publishAt, publishAtZone, by: changedBy(viewer), slug: text.slug };
  };
  await store.plannedUpdates.plan(id, decide, once, readBack);
}

/**
 * Makes planned updates whose time has come. Any number of processes may do so at the same time: each update is made once. An update of
 * a post that somebody else has changed since is held back: it would undo that change.
 *
 * @param now RFC 3339, UTC, milliseconds
 * @param limit the most that are looked at
 * @returns how many were due
 */
export async function makeDueUpdates(
  plans: PlannedUpdateStore,
  renderMarkdown: RenderMarkdown,
  now: string,
  limit: number,
): Promise<number> {
  const due = await plans.listDue(now, limit);
  const updates = await Promise.allSettled(due.map((id) => makeUpdate(plans, renderMarkdown, id, now)));
  for (const update of updates) if (update.status === "rejected") throw update.reason;
  return due.length;
}

async function makeUpdate(
  plans: PlannedUpdateStore,
  renderMarkdown: RenderMarkdown,
  id: Id,
  now: string,
): Promise<void> {
  const planned = await plans.find(id);
  if (planned === null) return;
  const written = Object.fromEntries(planned.differing.map((name) => [name, planned.text[name]])) as Partial<PostText>;
  const texts = await changedTexts(written, renderMarkdown);
  const isDue = (plan: PlanState) => isSamePlan(plan, planned) && plan.heldBecause === null && plan.publishAt <= now;
  try {
    await plans.carryOut(id, (post, plan) => {
      if (!isDue(plan)) return null;
      if (post.version !== plan.baseVersion) return { heldBecause: "POST_CHANGED" };
      const { by, isRestored } = plan;
      return { ...texts, ...titleSlugOf(written, post), event: "post.updated", by, isRestored };
    });
  } catch (error) {
    // The text was checked when it was planned. Only the slug depends on other posts.
    if (!(error instanceof AppError && error.code === "BAD_USER_INPUT")) throw error;
    await plans.carryOut(id, (_, plan) => (isDue(plan) ? { heldBecause: "SLUG_TAKEN" } : null));
  }
}

function isSamePlan(one: PlanKey, other: PlanKey): boolean {
  return (
    one.publishAt === other.publishAt &&
    one.workingVersion === other.workingVersion &&
    one.plannedAt === other.plannedAt
  );
}

import { badInput, badInputs } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { ReadBack } from "../reading/prepared-read.ts";
import { POST_FIELDS, type StoredField } from "../reading/stored-fields.ts";
import { assertText } from "../text.ts";
import type { Viewer } from "../viewer.ts";
import type { PostChange, PostState } from "./post.ts";
import { assertChangeable, conflict, noPost } from "./post-changes.ts";
import { type ChangedBy, changedBy, noSuchText, type PostText } from "./revisions.ts";
import type { Trail } from "./trail.ts";

/** A working copy as far as its rules look at it. */
export interface CopyState {
  /** 0 where there is none. */
  readonly version: number;
  /** Whether its text is one from the history. */
  readonly isRestored: boolean;
}

/** The text of a working copy, beside its post. */
export interface CopyText extends CopyState {
  readonly post: PostState;
  /** Null where there is no copy. */
  readonly text: PostText | null;
  /** Fields that the post has otherwise. */
  readonly differing: readonly (keyof PostText)[];
}

/** Changes of a working copy. */
export type CopyChange =
  /** Omitted fields keep their value: that of the copy, or without one that of the post. */
  | { readonly kind: "save"; readonly text: Partial<PostText>; readonly baseVersion: number }
  /**
   * Ends the copy. Its text becomes a revision where that is asked for, unless the post or the history has it. The planned update ends too,
   * unless it is kept.
   */
  | { readonly kind: "discard"; readonly keepsText: boolean; readonly keepsPlan?: boolean }
  /** Takes the text of a revision. The text before becomes a revision, unless the post or the history has it. */
  | { readonly kind: "restore"; readonly revision: Id };

/** `decide` is asked within the transaction, about the post and its copy as they are then, and may be asked again. It throws what the caller is told. */
export interface WorkingCopyStore {
  /** Never read from a copy of the database. Null without the post. */
  find(postId: Id): Promise<CopyText | null>;
  /** A copy in its last version, once for each person's: what they have saved last. @param after continues after the copy of this post */
  listOfPerson(
    userId: Id,
    page: { readonly after?: Id | undefined; readonly limit: number },
  ): Promise<(PostText & { readonly postId: Id; readonly updatedAt: string })[]>;
  /**
   * Changes a working copy and nothing of its post: no version, no event, no index. A copy that is discarded keeps its number: the next
   * one goes on from there, so that no version ever names two texts.
   *
   * @throws what `decide` throws, KeyInUse, NOT_FOUND for a revision that the post does not have or that has no text
   */
  edit(
    id: Id,
    by: ChangedBy,
    decide: (post: PostState | null, copy: CopyState) => CopyChange,
    once?: Once,
    readBack?: ReadBack | null,
  ): Promise<void>;
  /**
   * Ends the working copy and the planned update, and changes the post as `PostStore.edit` does, in one transaction. With null, the post stays as it is.
   * @throws as `PostStore.edit`
   */
  apply(
    id: Id,
    decide: (post: PostState | null, copy: CopyState) => PostChange | null,
    once?: Once,
    readBack?: ReadBack | null,
    trail?: Trail,
  ): Promise<void>;
}

/** A change of a working copy: the viewer, the post, and the version that the copy has to have. */
export interface CopyRequest {
  readonly store: { readonly workingCopies: WorkingCopyStore };
  readonly viewer: Viewer;
  /** Id of the post; null for a text that is no id. */
  readonly id: Id | null;
  /** 0 where there is no copy. */
  readonly workingVersion: number;
  readonly once: Once | undefined;
  readonly readBack?: ReadBack | null;
}

/** Omitted fields keep their value. */
export type WorkingCopyInput = { readonly [Field in keyof PostText]?: PostText[Field] | null };

const LENGTHS: Readonly<Record<keyof PostText, { readonly min: number; readonly max: number }>> = {
  title: { min: 0, max: lengthOf("title", 300) },
  body: { min: 0, max: lengthOf("body", 1_048_576) },
  slug: { min: 1, max: lengthOf("slug", 80) },
  excerpt: { min: 0, max: lengthOf("excerpt", 300) },
};

function lengthOf(name: keyof PostText, otherwise: number): number {
  const field: StoredField = POST_FIELDS[name];
  return field.length?.max ?? otherwise;
}

/**
 * Saves the text that is being written. Rules for what can be published (a title that is not empty, a slug that is free) apply later.
 *
 * @returns the id of the post
 * @throws AppError BAD_USER_INPUT for rules broken, NOT_FOUND for a post that the viewer does not see, FORBIDDEN for one that is not theirs
 * to change, CONFLICT with the present versions of the copy and the post when the copy has another version
 */
export async function saveWorkingCopy(request: CopyRequest, input: WorkingCopyInput, baseVersion: number): Promise<Id> {
  badInputs(Object.keys(LENGTHS).map((name) => () => assertField(name as keyof PostText, input)));
  if (baseVersion < 1) throw badInput("baseVersion", "baseVersion must be a version of the post.");
  const text = input as Partial<PostText>; // the rules leave null only where it is a value
  return edit(request, (post) => {
    if (baseVersion > post.version)
      throw badInput("baseVersion", `baseVersion must be a version of the post, which has version ${post.version}.`);
    return { kind: "save", text, baseVersion };
  });
}

/** @returns and @throws as `saveWorkingCopy` */
export function discardWorkingCopy(request: CopyRequest, keepsText: boolean, keepsPlan: boolean): Promise<Id> {
  return edit(request, () => ({ kind: "discard", keepsText, keepsPlan }));
}

/** @returns and @throws as `saveWorkingCopy`; NOT_FOUND for a revision that the post does not have or that has no text */
export function restoreRevision(request: CopyRequest, revision: Id | null): Promise<Id> {
  return edit(request, () => {
    if (revision === null) throw noSuchText();
    return { kind: "restore", revision };
  });
}

async function edit(
  { store, viewer, id, workingVersion, once, readBack }: CopyRequest,
  change: (post: PostState) => CopyChange,
): Promise<Id> {
  if (id === null) throw noPost();
  const decide = (post: PostState | null, copy: CopyState) => {
    assertChangeable(viewer, post);
    if (copy.version !== workingVersion) throw conflict(post, copy);
    return change(post);
  };
  await store.workingCopies.edit(id, changedBy(viewer), decide, once, readBack);
  return id;
}

function assertField(name: keyof PostText, input: WorkingCopyInput): void {
  const value = input[name];
  if (value === undefined || (value === null && (name === "slug" || name === "excerpt"))) return;
  if (value === null) throw badInput(`input.${name}`, `input.${name} must not be null.`);
  assertText(`input.${name}`, value, LENGTHS[name]);
}

import { AppError } from "../../domain/errors.ts";
import { type Id, parseId } from "../../domain/id.ts";
import type { Once } from "../../domain/idempotency.ts";
import { updateProfile } from "../../domain/people/user.ts";
import { applyWorkingCopy } from "../../domain/posts/apply-working-copy.ts";
import { restoreDeletedPost } from "../../domain/posts/deleted-posts.ts";
import { announceEditing } from "../../domain/posts/editing.ts";
import { nameRevision } from "../../domain/posts/history.ts";
import { cancelPlannedUpdate } from "../../domain/posts/planned-update.ts";
import { createPost, type PostContent } from "../../domain/posts/post.ts";
import {
  archivePost,
  deletePost,
  type PostRequest,
  publishPost,
  unpublishPost,
  updatePost,
} from "../../domain/posts/post-changes.ts";
import {
  createPreviewLink,
  type LinkRequest,
  noRevision,
  type PreviewTokens,
  revokePreviewLink,
} from "../../domain/posts/previews.ts";
import type { RenderMarkdown } from "../../domain/posts/rendering.ts";
import {
  type CopyRequest,
  discardWorkingCopy,
  restoreRevision,
  saveWorkingCopy,
  type WorkingCopyInput,
} from "../../domain/posts/working-copy.ts";
import type { ReadBack } from "../../domain/reading/prepared-read.ts";
import type { PostInput } from "../../domain/reading/stored-fields.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Viewer } from "../../domain/viewer.ts";
import { parseTime } from "../plan/time.ts";
import type { Shown } from "./change.ts";

interface MutationContext {
  readonly store: Store;
  readonly viewer: Viewer;
  readonly renderMarkdown: RenderMarkdown;
  readonly previewTokens: PreviewTokens;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Set if the request came with an Idempotency-Key. */
  readonly once: Once | undefined;
  /** The reads for the answer, which the change makes within its transaction; null where the answer needs none. */
  readonly readBack: ReadBack | null;
}

/** Does the change and gives the id of what the answer is read from, with what the answer shows this once. */
type Mutation = (
  context: MutationContext,
  args: Readonly<Record<string, unknown>>,
) => Promise<Id | { readonly id: Id; readonly shown: Shown }>;

/** Every field of the Mutation type. The arguments come coerced by the schema, so their types are known. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  createPost: async (context, { input }) => createPost(context, inTime(input as PostContent), context.renderMarkdown),
  updatePost: async (context, args) =>
    updatePost(postRequest(context, args), inTime(args.input as PostInput), context.renderMarkdown),
  publishPost: (context, args) => publishPost(postRequest(context, args)),
  unpublishPost: (context, args) => unpublishPost(postRequest(context, args)),
  archivePost: (context, args) => archivePost(postRequest(context, args)),
  deletePost: (context, args) => deletePost(postRequest(context, args)),
  restoreDeletedPost: ({ store, viewer, once, readBack, renderMarkdown }, { id }) =>
    restoreDeletedPost({ store, viewer, id: parseId(id as string), once, readBack }, renderMarkdown),
  saveWorkingCopy: async (context, args) =>
    saveWorkingCopy(copyRequest(context, args), args.input as WorkingCopyInput, args.baseVersion as number),
  applyWorkingCopy: async (context, args) =>
    applyWorkingCopy(
      { ...copyRequest(context, args), expectedVersion: args.expectedVersion as number },
      {
        publishes: args.then === "PUBLISH",
        publishAt: args.publishAt == null ? undefined : parseTime("publishAt", args.publishAt as string),
        publishAtZone: (args.publishAtZone as string | null | undefined) ?? undefined,
      },
      context.renderMarkdown,
    ),
  discardWorkingCopy: (context, args) =>
    discardWorkingCopy(copyRequest(context, args), args.keepInHistory as boolean, args.keepPlannedUpdate as boolean),
  cancelPlannedUpdate: (context, args) =>
    cancelPlannedUpdate(postRequest(context, args), versionOf(args.expectedVersion)),
  restoreRevision: (context, args) => restoreRevision(copyRequest(context, args), parseId(args.revision as string)),
  nameRevision: ({ store, viewer, once, readBack }, { id, revision, name }) =>
    nameRevision(
      { store, viewer, id: parseId(id as string), revision: parseId(revision as string), once, readBack },
      (name as string | null | undefined) ?? null,
    ),
  announceEditing: ({ store, viewer, once }, { id }) =>
    announceEditing({ store, viewer, once, id: parseId(id as string) }),
  createPreviewLink: async (context, { id, expiresAt, revision }) => {
    const { id: link, url } = await createPreviewLink(linkRequest(context, parseId(id as string)), {
      expiresAt: parseTime("expiresAt", expiresAt as string),
      revision: revision == null ? null : revisionId(revision as string),
    });
    return { id: link, shown: { url } };
  },
  revokePreviewLink: (context, { id }) => revokePreviewLink(linkRequest(context, parseId(id as string))),
  updateProfile: (context, { input, expectedVersion }) =>
    updateProfile(context, input as { name?: string | null }, versionOf(expectedVersion)),
};

/** @throws AppError INTERNAL for a field of the schema that nothing does */
export function mutationNamed(name: string): Mutation {
  const mutation = MUTATIONS[name];
  if (mutation === undefined)
    throw new AppError("INTERNAL", `schema.graphql has Mutation.${name}, which nothing does.`);
  return mutation;
}

function postRequest(
  { store, viewer, once, readBack }: MutationContext,
  { id, expectedVersion }: Readonly<Record<string, unknown>>,
): PostRequest & { readonly store: Store } {
  return { store, viewer, id: parseId(id as string), expectedVersion: versionOf(expectedVersion), once, readBack };
}

function copyRequest(
  { store, viewer, once, readBack }: MutationContext,
  { id, workingVersion }: Readonly<Record<string, unknown>>,
): CopyRequest & { readonly store: Store } {
  return { store, viewer, id: parseId(id as string), workingVersion: workingVersion as number, once, readBack };
}

/** @throws AppError BAD_USER_INPUT for what is no id */
function revisionId(text: string): Id {
  const id = parseId(text);
  if (id === null) throw noRevision();
  return id;
}

function linkRequest(
  { store, viewer, once, readBack, previewTokens: tokens, now }: MutationContext,
  id: Id | null,
): LinkRequest {
  return { store, viewer, id, tokens, now: now(), once, readBack };
}

/** Left out and null are the same: nothing in particular is expected. */
function versionOf(expected: unknown): number | null {
  return (expected as number | null | undefined) ?? null;
}

/** @throws AppError BAD_USER_INPUT for what is no time */
function inTime<Input extends { readonly publishAt?: string | null }>(input: Input): Input {
  return input.publishAt == null ? input : { ...input, publishAt: parseTime("input.publishAt", input.publishAt) };
}

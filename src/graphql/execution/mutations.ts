import { AppError } from "../../domain/errors.ts";
import { type Id, parseId } from "../../domain/id.ts";
import type { Once } from "../../domain/idempotency.ts";
import { updateProfile } from "../../domain/people/user.ts";
import { createPost, type PostContent } from "../../domain/posts/post.ts";
import {
  archivePost,
  deletePost,
  type PostRequest,
  publishPost,
  unpublishPost,
  updatePost,
} from "../../domain/posts/post-changes.ts";
import type { RenderMarkdown } from "../../domain/posts/rendering.ts";
import type { ReadBack } from "../../domain/reading/prepared-read.ts";
import type { PostInput } from "../../domain/reading/stored-fields.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Viewer } from "../../domain/viewer.ts";
import { parseTime } from "../plan/time.ts";

interface MutationContext {
  readonly store: Store;
  readonly viewer: Viewer;
  readonly renderMarkdown: RenderMarkdown;
  /** Set if the request came with an Idempotency-Key. */
  readonly once: Once | undefined;
  /** The reads for the answer, which the change makes within its transaction; null where the answer needs none. */
  readonly readBack: ReadBack | null;
}

/** Does the change and gives the id of what the answer is read from. */
type Mutation = (context: MutationContext, args: Readonly<Record<string, unknown>>) => Promise<Id>;

/** Every field of the Mutation type. The arguments come coerced by the schema, so their types are known. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  createPost: async (context, { input }) => createPost(context, inTime(input as PostContent), context.renderMarkdown),
  updatePost: async (context, args) =>
    updatePost(postRequest(context, args), inTime(args.input as PostInput), context.renderMarkdown),
  publishPost: (context, args) => publishPost(postRequest(context, args)),
  unpublishPost: (context, args) => unpublishPost(postRequest(context, args)),
  archivePost: (context, args) => archivePost(postRequest(context, args)),
  deletePost: (context, args) => deletePost(postRequest(context, args)),
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
): PostRequest {
  return { store, viewer, id: parseId(id as string), expectedVersion: versionOf(expectedVersion), once, readBack };
}

/** Left out and null are the same: nothing in particular is expected. */
function versionOf(expected: unknown): number | null {
  return (expected as number | null | undefined) ?? null;
}

/** @throws AppError BAD_USER_INPUT for what is no time */
function inTime<Input extends { readonly publishAt?: string | null }>(input: Input): Input {
  return input.publishAt == null ? input : { ...input, publishAt: parseTime("input.publishAt", input.publishAt) };
}

import type { Id } from "../domain/id.ts";
import { createPost } from "../domain/post.ts";
import type { Store } from "../domain/store.ts";
import type { Viewer } from "../domain/viewer.ts";

/** Does the change and gives the id of what the answer is read from. */
type Mutation = (store: Store, viewer: Viewer, args: Readonly<Record<string, unknown>>) => Promise<Id>;

/** Every field of the Mutation type. The arguments come coerced by the schema, so their types are known. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  createPost: (store, viewer, { input }) => createPost(store, viewer, input as { title: string; body: string }),
};

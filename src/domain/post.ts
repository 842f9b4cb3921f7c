import { AppError } from "./errors.ts";
import type { Id } from "./id.ts";
import type { Store } from "./store.ts";
import { assertText } from "./text.ts";
import type { Viewer } from "./viewer.ts";

const TITLE_LENGTH = { min: 1, max: 300 } as const;
const BODY_LENGTH = { min: 0, max: 1_048_576 } as const;

export interface NewPost {
  readonly authorId: Id;
  readonly title: string;
  readonly body: string;
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

import { postFailureWords } from "../api/failure-words.ts";
import { RestorePost } from "../documents/deleted.ts";
import { present } from "../documents/post-answers.ts";
import {
  ApplyText,
  Archive,
  CancelUpdate,
  DeletePost,
  DiscardText,
  PostNow,
  type PostWithCopy,
  Unpublish,
  Unschedule,
} from "../documents/publishing.ts";
import { type Api, ApiFailure, type Studio, type Writing } from "../ports.ts";
import { adoptAnswer } from "./adopt-answer.ts";

/** A text as the server has it. A dialog shows it, and its button publishes it. */
export interface Settled {
  readonly id: string;
  readonly version: number;
  readonly workingVersion: number;
}

export type Step =
  | { readonly kind: "publish" }
  /** Makes the text the post's, and leaves its state. */
  | { readonly kind: "apply" }
  /** At a time: the publication of a draft, or the update of a published post. */
  | { readonly kind: "schedule"; readonly publishAt: string; readonly zone: string | null };

/**
 * Applies exactly the named text, and publishes or schedules it.
 *
 * @param key stays the same when the request is sent again, so that a lost answer publishes nothing twice
 * @throws ApiFailure: `conflict` where the text or the post is another one by now
 */
export async function applyText(api: Api, writing: Writing, settled: Settled, step: Step, key: string): Promise<void> {
  const { applyWorkingCopy } = await api.run(
    ApplyText,
    {
      id: settled.id,
      workingVersion: settled.workingVersion,
      expectedVersion: settled.version,
      // biome-ignore lint/suspicious/noThenProperty: the argument has this name in the schema
      then: step.kind === "publish" ? "PUBLISH" : "STAY",
      ...(step.kind === "schedule" && { publishAt: step.publishAt, publishAtZone: step.zone }),
    },
    { key },
  );
  const post = present(applyWorkingCopy?.post);
  adoptAnswer(writing, post, post.workingCopy);
}

/** Drops the changes that were not applied. Their text stays in the history. */
export async function discardText(api: Api, writing: Writing): Promise<void> {
  const { id, workingVersion } = await writing.settle();
  if (workingVersion === 0) return;
  const { discardWorkingCopy } = await api.run(DiscardText, { id, workingVersion }, { key: crypto.randomUUID() });
  adoptAnswer(writing, present(discardWorkingCopy?.post), null);
}

type Run = { readonly id: string; readonly expectedVersion: number };

const STATES = {
  unpublish: async (api: Api, run: Run, key: string) => (await api.run(Unpublish, run, { key })).unpublishPost,
  archive: async (api: Api, run: Run, key: string) => (await api.run(Archive, run, { key })).archivePost,
  "cancel-update": async (api: Api, run: Run, key: string) =>
    (await api.run(CancelUpdate, run, { key })).cancelPlannedUpdate,
  unschedule: async (api: Api, run: Run, key: string) => (await api.run(Unschedule, run, { key })).updatePost,
};

/** A change of state alone. The text being written stays as it is. */
export async function changeState(api: Api, writing: Writing, change: keyof typeof STATES): Promise<void> {
  const id = present(writing.id.value);
  const { version: expectedVersion } = writing.versions.value;
  const payload = await STATES[change](api, { id, expectedVersion }, crypto.randomUUID());
  const post = present(payload?.post);
  adoptAnswer(writing, post, post.workingCopy);
}

export async function deletePost({ api }: Studio, writing: Writing): Promise<void> {
  const id = present(writing.id.value);
  const { version: expectedVersion } = writing.versions.value;
  await api.run(DeletePost, { id, expectedVersion }, { key: crypto.randomUUID() });
}

/** Takes the deletion of a post back, and opens it: it is a draft then. */
export async function restorePost({ api, notify, go }: Pick<Studio, "api" | "notify" | "go">, id: string) {
  try {
    await api.run(RestorePost, { id }, { key: crypto.randomUUID() });
    notify("The post is back. It is a draft now.");
    go(`/posts/${id}`);
  } catch (error) {
    notify(restoreFailureWords(error));
  }
}

/** A sentence for a deleted post that did not come back. */
export function restoreFailureWords(error: unknown): string {
  const isGone = error instanceof ApiFailure && error.kind === "not-found";
  return isGone
    ? "The post cannot be restored any more: it is gone for good, or somebody restored it."
    : postFailureWords(error);
}

/** Takes over the post as the server has it, if it is newer than this page's. @returns whether it was */
export async function adoptNewer(api: Api, writing: Writing): Promise<boolean> {
  const id = writing.id.value;
  if (id === null) return false;
  const { post } = await api.run(PostNow, { id });
  if (post === null || !isNewer(post, writing)) return false;
  adoptAnswer(writing, post, post.workingCopy);
  return true;
}

/** The server may hold a planned update back, which is no new version. */
function isNewer({ version, plannedUpdate }: PlannedPost, { versions, post }: Writing): boolean {
  const known = versions.value.version;
  if (version !== known) return version > known;
  return plannedUpdate !== null && plannedUpdate.heldBecause !== post.value?.plannedUpdate?.heldBecause;
}

type PlannedPost = Pick<PostWithCopy, "version" | "plannedUpdate">;

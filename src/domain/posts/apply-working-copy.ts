import { badInput, badInputs } from "../errors.ts";
import type { Id } from "../id.ts";
import { agentAct } from "../viewer.ts";
import { assertZone } from "./chosen-texts.ts";
import { type PlannedUpdateStore, planUpdate } from "./planned-update.ts";
import { type PostChange, type PostState, writingRules } from "./post.ts";
import {
  assertChangeable,
  changedTexts,
  conflict,
  newTimes,
  noPost,
  publicationOnRequest,
  titleSlugOf,
} from "./post-changes.ts";
import type { RenderMarkdown } from "./rendering.ts";
import { changedBy, type PostText } from "./revisions.ts";
import type { CopyRequest, CopyText } from "./working-copy.ts";

export interface ApplyRequest extends CopyRequest {
  readonly store: CopyRequest["store"] & { readonly plannedUpdates: PlannedUpdateStore };
  /** Version of the post. */
  readonly expectedVersion: number;
}

/** The step after the text is applied. */
export interface AfterApply {
  /** Publishes a draft. */
  readonly publishes: boolean;
  /** RFC 3339, UTC, milliseconds; undefined leaves an earlier schedule of a draft. For a published post, the copy is applied at this time. */
  readonly publishAt?: string | undefined;
  /** IANA name. */
  readonly publishAtZone?: string | undefined;
}

/**
 * Makes the working copy the text of its post, by the rules of `updatePost`, and ends it. Publishes or schedules the post in the same step.
 * Without a copy, that is all. One event tells it. With a time for a published post, nothing of that happens now: see `planned-update.ts`.
 *
 * @returns the id of the post, whose change is then durable
 * @throws AppError as `updatePost`, and as `publishPost` where it is published; CONFLICT with the present versions of the copy and the post
 * when one of them has another version
 */
export async function applyWorkingCopy(
  request: ApplyRequest,
  { publishes, publishAt, publishAtZone }: AfterApply,
  renderMarkdown: RenderMarkdown,
): Promise<Id> {
  const { store, viewer, id, workingVersion, expectedVersion, once, readBack } = request;
  if (publishes && publishAt !== undefined)
    throw badInput("publishAt", "publishAt is for a later publication: leave it out with then: PUBLISH.");
  if (id === null) throw noPost();
  const assertVersions = (post: PostState, copy: { readonly version: number }) => {
    if (copy.version !== workingVersion || post.version !== expectedVersion) throw conflict(post, copy);
  };
  const found = await store.workingCopies.find(id);
  assertChangeable(viewer, found?.post ?? null);
  if (found === null) throw noPost();
  assertVersions(found.post, found);
  // A version names one text for ever: what was read here is what the transaction finds, or it finds another version.
  if (publishAtZone !== undefined) assertZone("publishAtZone", publishAtZone);
  const written = assertPublishable(found);
  if (found.post.status === "PUBLISHED" && publishAt !== undefined) {
    const plan = { text: written, publishAt, publishAtZone: publishAtZone ?? null };
    await planUpdate(request, id, assertVersions, plan);
    return id;
  }
  const texts = await changedTexts(written, renderMarkdown);
  const act = agentAct(viewer);
  await store.workingCopies.apply(
    id,
    (post, copy) => {
      assertChangeable(viewer, post);
      assertVersions(post, copy);
      const publication = publishes ? publicationOnRequest(post) : null;
      const change: Omit<PostChange, "event"> = {
        ...texts,
        ...titleSlugOf(written, post),
        ...newTimes("", post, { publishAt, publishAtZone }),
        ...publication,
      };
      if (Object.keys(change).length === 0) return null;
      const event = publication === null ? "post.updated" : "post.published";
      return { ...change, event, by: changedBy(viewer), isRestored: copy.isRestored };
    },
    once,
    readBack,
    act && { act },
  );
  return id;
}

/** The fields of the copy that the post has otherwise. @throws AppError BAD_USER_INPUT for what no post may have */
function assertPublishable({ text, differing }: CopyText): Partial<PostText> {
  if (text === null) return {};
  const changed: Partial<PostText> = Object.fromEntries(differing.map((name) => [name, text[name]]));
  badInputs(writingRules(changed, "workingCopy."));
  return changed;
}

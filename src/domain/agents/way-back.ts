import { AppError } from "../errors.ts";
import type { PostStatus } from "../post-status.ts";
import type { PostChange, PostState } from "../posts/post.ts";
import { type RenderMarkdown, renderBody, renderPost, slugOf } from "../posts/rendering.ts";
import type { DeletedPost } from "../posts/trail.ts";
import type { AgentChange, AgentStore } from "./agent.ts";

/** The change that takes changes of one post back. */
export type WayBack =
  /** The agent created the post. */
  | { readonly as: "deleted" }
  /** The agent changed the post: the change that undoes it, but for its event, which depends on the post. */
  | { readonly as: "restored"; readonly change: Omit<PostChange, "event"> & { readonly status: PostStatus } }
  /** The agent deleted the post. */
  | { readonly as: "created-again"; readonly post: DeletedPost };

/** Changes of one post by an agent, oldest first. */
export type ChangesOfPost = readonly [AgentChange, ...AgentChange[]];

const EVENT_TO = { DRAFT: "post.unpublished", PUBLISHED: "post.published", ARCHIVED: "post.archived" } as const;

/** Whether the agent created the post and deleted it again, so that nothing is left to take back. */
export function leavesNothing(changes: ChangesOfPost): boolean {
  return changes[0].before === null && lastOf(changes).versionAfter === null;
}

export function lastOf(changes: ChangesOfPost): AgentChange {
  return changes.at(-1) ?? changes[0];
}

/** @throws AppError CONFLICT where somebody else has changed the post between two of the changes */
export async function wayBack(
  { findBodyBefore }: Pick<AgentStore, "findBodyBefore">,
  changes: ChangesOfPost,
  renderMarkdown: RenderMarkdown,
): Promise<WayBack> {
  for (const [i, { versionBefore, before, at }] of changes.entries()) {
    const previous = changes[i - 1];
    if (previous === undefined || before === null || versionBefore === null) continue;
    if (!isLeftBy(previous, { version: versionBefore, status: before.status, updatedAt: at }))
      throw stays("Somebody else has changed it between two changes by the agent.");
  }
  const [{ before: state, postId, authorId }] = changes;
  if (state === null) return { as: "deleted" };
  const { status, publishAt, publishAtZone, slug, excerpt } = state;
  const title = changes.find(({ before }) => before?.title != null)?.before?.title ?? null;
  const replacing = changes.find(({ before }) => before?.hasBody === true);
  const body = replacing === undefined ? null : await findBodyBefore(replacing.id);
  const { versionBefore, versionAfter, before } = lastOf(changes);
  if (versionAfter !== null) {
    const change = {
      status,
      publishAt,
      publishAtZone,
      ...(title === null ? {} : { title, titleSlug: slugOf(title) }),
      ...(body === null ? {} : { body, rendered: await renderBody(renderMarkdown, body) }),
    };
    return { as: "restored", change };
  }
  if (title === null || body === null || before?.createdAt == null || versionBefore === null)
    throw stays("Its texts are not kept any more.");
  const { createdAt, publishedAt } = before;
  const rendered = await renderPost(renderMarkdown, { title, body });
  const written = { id: postId, authorId, title, body, status, publishAt, publishAtZone, slug, excerpt };
  return { as: "created-again", post: { ...written, createdAt, publishedAt, version: versionBefore + 1, rendered } };
}

/**
 * Decides about the present post, as `PostStore.edit` asks for it.
 *
 * @throws AppError CONFLICT where it is not as the agent left it
 */
export function changeBack(way: WayBack, last: AgentChange, post: PostState | null): PostChange | null {
  if (way.as === "created-again") {
    if (post !== null) throw stays("It was created again since.");
    return null;
  }
  if (post === null) throw stays("Somebody else has deleted it since.");
  if (!isLeftBy(last, post)) throw stays("Somebody else has changed it since.");
  if (way.as === "deleted") return { event: "post.deleted" };
  const { change } = way;
  return { ...change, event: change.status === post.status ? "post.updated" : EVENT_TO[change.status] };
}

/** Whether nobody has changed the post after the agent. Publication by the server is the agent's, where the agent has planned it. */
function isLeftBy(
  { versionAfter, plannedAt }: AgentChange,
  { version, status, updatedAt }: Pick<PostState, "version" | "status" | "updatedAt">,
): boolean {
  if (version === versionAfter) return true;
  const isNext = versionAfter !== null && version === versionAfter + 1;
  return isNext && plannedAt !== null && status === "PUBLISHED" && updatedAt >= plannedAt;
}

function stays(reason: string): AppError<"CONFLICT"> {
  return new AppError("CONFLICT", reason);
}

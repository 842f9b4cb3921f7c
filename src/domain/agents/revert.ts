import type { Administration } from "../administration.ts";
import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import { KeyInUse, type Once } from "../idempotency.ts";
import type { PostSlice } from "../posts/post.ts";
import type { RenderMarkdown } from "../posts/rendering.ts";
import type { AgentChange, AgentChangeFilter, AgentSlice } from "./agent.ts";
import { type ChangesOfPost, changeBack, lastOf, leavesNothing, type WayBack, wayBack } from "./way-back.ts";

/** Changes of an agent: since a time, and until one (not included). RFC 3339, UTC, milliseconds. */
type Window = Pick<AgentChangeFilter, "userId" | "until"> & { readonly clientId: string; readonly since: string };

interface RevertOptions {
  readonly renderMarkdown: RenderMarkdown;
  /** Says what would be done, and does nothing. */
  readonly isDryRun?: boolean;
  /** The most posts that are taken back. Another call goes on with the rest. */
  readonly limit?: number;
}

export interface Reverted {
  readonly reverted: readonly { readonly postId: Id; readonly as: WayBack["as"] }[];
  /** Posts that stay as they are, and why: one sentence. */
  readonly left: readonly { readonly postId: Id; readonly reason: string }[];
  /** Whether every post of the window is in one of the two lists. */
  readonly isComplete: boolean;
}

type Slice = AgentSlice & PostSlice;

/** Changes that are read in one go. */
const PAGE = 1_000;
/** Codes of errors that end everything. All others are about one post. */
const FATAL: ReadonlySet<string> = new Set(["UNAVAILABLE", "INTERNAL"]);

/**
 * Gives each post that an agent changed in the window the state from before the first of these changes, the post that was changed last
 * first. A post that somebody else has changed since stays as it is. Events, webhooks and the search follow as after any change.
 * `publishedAt` stays where the agent published a post for the first time, as it does for `unpublishPost`.
 *
 * @throws AppError UNAVAILABLE, INTERNAL: posts that were taken back before it stay so; KeyInUse
 */
export async function revertAgentChanges(
  { store, actorId, record, once }: Administration<Slice>,
  window: Window,
  { renderMarkdown, isDryRun = false, limit = Number.POSITIVE_INFINITY }: RevertOptions,
): Promise<Reverted> {
  const by = actorId === null ? "at the terminal" : `by ${actorId}`;
  const reverted: { postId: Id; as: WayBack["as"] }[] = [];
  const left: { postId: Id; reason: string }[] = [];
  let isComplete = true;
  for (const [postId, changes] of await changesByPost(store, window)) {
    if (leavesNothing(changes)) continue;
    isComplete = reverted.length < limit;
    if (!isComplete) break;
    try {
      const way = await wayBack(store.agents, changes, renderMarkdown);
      if (isDryRun) await look(store, way, changes);
      else await go(store, way, changes, by, reverted.length === 0 ? once : undefined);
      reverted.push({ postId, as: way.as });
    } catch (error) {
      if (error instanceof KeyInUse || !(error instanceof AppError) || FATAL.has(error.code)) throw error;
      left.push({ postId, reason: error.message });
    }
  }
  if (!isDryRun) {
    const { clientId, userId = null, since, until } = window;
    const span = until === undefined ? `since ${since}` : `from ${since} to ${until}`;
    const detail = `changes ${span} taken back: ${reverted.length} posts, and ${left.length} left alone`;
    await record({ event: "agent", result: "ok", clientId, userId, detail });
  }
  return { reverted, left, isComplete };
}

/** In the order of their last changes, newest first; the changes of a post oldest first. */
async function changesByPost({ agents }: Slice, window: Window): Promise<[Id, ChangesOfPost][]> {
  const posts = new Map<Id, [AgentChange, ...AgentChange[]]>();
  for (let before: AgentChange | undefined; ; ) {
    const page = await agents.listChanges({ ...window, isOpen: true, before, limit: PAGE });
    for (const change of page) {
      const known = posts.get(change.postId);
      if (known === undefined) posts.set(change.postId, [change]);
      else known.push(change);
    }
    before = page.at(-1);
    if (before === undefined) break;
  }
  for (const changes of posts.values()) changes.reverse();
  return [...posts];
}

/** @throws AppError as `go`, where it would */
function look({ posts }: Slice, way: WayBack, changes: ChangesOfPost): Promise<void> {
  return posts.edit(changes[0].postId, (post) => {
    changeBack(way, lastOf(changes), post);
    return null;
  });
}

async function go(
  { posts }: Slice,
  way: WayBack,
  changes: ChangesOfPost,
  by: string,
  once: Once | undefined,
): Promise<void> {
  const { userId, clientId } = lastOf(changes);
  const takesBack = { changes: changes.map(({ id }) => id), userId, clientId, by };
  if (way.as === "created-again") return posts.restore(way.post, { takesBack }, once);
  await posts.edit(changes[0].postId, (post) => changeBack(way, lastOf(changes), post), once, null, { takesBack });
}

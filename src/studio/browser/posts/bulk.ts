import type { StudioApi } from "../api/client.ts";
import {
  ArchivePosts,
  DeletePosts,
  PublishPosts,
  type PublishPostsVariables,
  UnpublishPosts,
} from "../documents/bulk.ts";
import { RestorePosts, type RestorePostsVariables } from "../documents/deleted.ts";
import { ApiFailure, type StudioDocument } from "../ports.ts";
import type { Row } from "./post-list.ts";

export type BulkAction = "publish" | "unpublish" | "archive" | "delete";

/** Posts of one request, for which the documents have room. */
export const AT_ONCE = 20;

const DOCUMENTS = { publish: PublishPosts, unpublish: UnpublishPosts, archive: ArchivePosts, delete: DeletePosts };

type Payload = { readonly post?: { readonly status: Row["status"]; readonly version: number } | null } | null;

export interface BulkResult {
  /** The rows that were changed, as they are now; null for deleted ones. */
  readonly done: ReadonlyMap<string, Partial<Row> | null>;
  readonly failed: ReadonlyMap<string, ApiFailure>;
}

/** Whether the action does anything to the row. */
export function concerns(action: BulkAction, { status, workingCopy, viewerCanUpdate }: Row): boolean {
  if (!viewerCanUpdate) return false;
  if (action === "publish") return status !== "PUBLISHED" || workingCopy !== null;
  if (action === "unpublish") return status !== "DRAFT";
  return action === "delete" || status === "PUBLISHED";
}

/**
 * Changes posts, each for itself: one that fails keeps no other from being changed. Every change names the version that the
 * person saw.
 *
 * @param newKey makes an Idempotency-Key for each request, so that a lost answer changes nothing twice
 * @param progress is told how many posts are done
 */
export async function runBulk(
  api: Pick<StudioApi, "runEach">,
  action: BulkAction,
  rows: readonly Row[],
  newKey: () => string,
  progress: (done: number) => void = () => {},
): Promise<BulkResult> {
  const done = new Map<string, Partial<Row> | null>();
  const failed = new Map<string, ApiFailure>();
  const document = DOCUMENTS[action] as StudioDocument<object, PublishPostsVariables>;
  const run: RunSome<Row> = (some) => runOnce(api, document, variablesOf(action, some), newKey());
  await forEach(rows, run, progress, (id, outcome) => {
    if (outcome instanceof ApiFailure) failed.set(id, outcome);
    else done.set(id, action === "delete" ? null : afterwards(action, outcome));
  });
  return { done, failed };
}

/** Restores deleted posts, as `runBulk` changes posts. @returns ids of restored posts, and the failures of others */
export async function runRestore(
  api: Pick<StudioApi, "runEach">,
  posts: readonly { readonly id: string }[],
  newKey: () => string,
  progress: (done: number) => void = () => {},
): Promise<{ readonly done: ReadonlySet<string>; readonly failed: ReadonlyMap<string, ApiFailure> }> {
  const done = new Set<string>();
  const failed = new Map<string, ApiFailure>();
  const run: RunSome<{ readonly id: string }> = (some) => {
    const entries = some.flatMap(({ id }, index): [string, string | boolean][] => [
      [`id${index}`, id],
      [`on${index}`, true],
    ]);
    return runOnce(api, RestorePosts, Object.fromEntries(entries) as RestorePostsVariables, newKey());
  };
  await forEach(posts, run, progress, (id, outcome) => {
    if (outcome instanceof ApiFailure) failed.set(id, outcome);
    else done.add(id);
  });
  return { done, failed };
}

type RunSome<Post> = (
  some: readonly Post[],
) => Promise<{ readonly data: object; readonly failures: ReadonlyMap<string, ApiFailure> }>;

async function forEach<Post extends { readonly id: string }>(
  posts: readonly Post[],
  run: RunSome<Post>,
  progress: (done: number) => void,
  tell: (id: string, outcome: NonNullable<Payload> | ApiFailure) => void,
): Promise<void> {
  for (let start = 0; start < posts.length; start += AT_ONCE) {
    const some = posts.slice(start, start + AT_ONCE);
    try {
      const { data, failures } = await run(some);
      for (const [index, { id }] of some.entries()) {
        const payload = (data as Record<string, Payload | undefined>)[`p${index}`];
        const message = "The server gave no answer for this post.";
        tell(id, failures.get(`p${index}`) ?? payload ?? new ApiFailure({ kind: "failed", message }));
      }
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      for (const { id } of some) tell(id, error);
    }
    progress(Math.min(posts.length, start + AT_ONCE));
  }
}

/** A request whose answer was lost is sent once more under the same key: the server then repeats its answer. */
async function runOnce<Data extends object, Variables>(
  api: Pick<StudioApi, "runEach">,
  document: StudioDocument<Data, Variables>,
  variables: Variables,
  key: string,
) {
  const send = () => api.runEach(document, variables, { key });
  return send().catch((error) => {
    if (error instanceof ApiFailure && error.kind === "offline") return send();
    throw error;
  });
}

function variablesOf(action: BulkAction, rows: readonly Row[]): PublishPostsVariables {
  const entries = rows.flatMap(({ id, version, workingCopy }, index): [string, string | number | boolean][] => [
    [`id${index}`, id],
    [`version${index}`, version],
    [`on${index}`, true],
    ...(action === "publish" ? [[`working${index}`, workingCopy?.version ?? 0] as [string, number]] : []),
  ]);
  return Object.fromEntries(entries) as unknown as PublishPostsVariables;
}

function afterwards(action: BulkAction, payload: NonNullable<Payload>): Partial<Row> {
  const { post } = payload;
  if (post === undefined || post === null) return {};
  const { status, version } = post;
  return { status, version, publishAt: null, plannedUpdate: null, ...(action === "publish" && { workingCopy: null }) };
}

const PAST: Readonly<Record<BulkAction, string>> = {
  publish: "published",
  unpublish: "unpublished",
  archive: "archived",
  delete: "deleted",
};

/** "3 posts are published. 2 failed and stay selected." */
export function bulkWords(action: BulkAction, { done, failed }: BulkResult): string {
  const count = (number: number) => (number === 1 ? "1 post is" : `${number} posts are`);
  const good = done.size === 0 ? "Nothing was changed." : `${count(done.size)} ${PAST[action]}.`;
  if (failed.size === 0) return good;
  return `${good} ${failed.size === 1 ? "1 failed and stays selected." : `${failed.size} failed and stay selected.`}`;
}

/** "3 posts are drafts again. 1 failed." */
export function restoreWords(done: number, failed: number): string {
  const good =
    done === 0 ? "Nothing was restored." : done === 1 ? "1 post is a draft again." : `${done} posts are drafts again.`;
  if (failed === 0) return good;
  return `${good} ${failed === 1 ? "1 failed." : `${failed} failed.`}`;
}

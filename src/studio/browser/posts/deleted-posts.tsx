import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { StudioApi } from "../api/client.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import type { Studio } from "../ports.ts";
import { restoreFailureWords } from "../publishing/changes.ts";
import { dayCount } from "../publishing/sentences.ts";
import { restoreWords, runRestore } from "./bulk.ts";
import { DeletedList, type DeletedRow } from "./deleted-list.ts";
import { DeletedTable } from "./deleted-table.tsx";
import { useListKeys } from "./list-keys.ts";
import { News } from "./list-news.tsx";
import { Tabs } from "./list-tools.tsx";
import { keptIn, NOTHING } from "./selection.ts";

export interface DeletedPostsProps {
  readonly studio: Studio;
  readonly api: StudioApi;
}

/** Rows stay while the page is left, so that Back shows them immediately. */
const lists = new WeakMap<StudioApi, DeletedList>();

/** Posts that were deleted, until they are gone for good. */
export function DeletedPosts({ studio, api }: DeletedPostsProps) {
  const list = useMemo(() => listOf(api), [api]);
  const selection = useSignal(NOTHING);
  const failures = useSignal<ReadonlyMap<string, string>>(new Map());
  const done = useSignal<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is the same in every rendering
  useEffect(() => {
    void list.reload();
    return studio.onPostEvent(({ type, postId }) => list.hear({ type: type as "DELETED", postId }));
  }, [list]);
  const rows = list.rows.value;
  const ids = (rows ?? []).map(({ id }) => id);
  useListKeys({ selection, ids, studio });
  const selected = keptIn(selection.value, ids);
  const { deletedDays } = studio.server.value;
  const isBusy = done.value !== null;

  async function restore(chosen: readonly DeletedRow[]): Promise<void> {
    if (isBusy) return;
    done.value = 0;
    const next = rowAfter(rows ?? [], chosen);
    const result = await runRestore(
      api,
      chosen,
      () => crypto.randomUUID(),
      (count) => {
        done.value = count;
      },
    );
    done.value = null;
    list.remove(result.done);
    failures.value = new Map([...result.failed].map(([id, failure]) => [id, restoreFailureWords(failure)]));
    selection.value = { ids: new Set(chosen.length > 1 ? result.failed.keys() : []), anchor: null };
    const [first] = chosen;
    const isOne = chosen.length === 1 && first !== undefined && result.done.has(first.id);
    const open = { label: "Open", run: () => studio.go(`/posts/${first?.id}`) };
    if (isOne) studio.notify(`“${first.title}” is a draft again.`, open);
    else studio.notify(restoreWords(result.done.size, result.failed.size));
    requestAnimationFrame(() => (document.getElementById(`post-${next}`) ?? document.querySelector("h1"))?.focus());
  }

  return (
    <>
      <div class="list-tools">
        <Tabs view={null} hasDeleted href={href} />
      </div>
      <News unseen={list.unseen.value.size} changed={list.changed.value.size} onShow={() => void list.reload()} />
      {list.failure.value !== null && studio.isSignedIn.value && (
        <FailureNote
          failure={list.failure.value}
          title={rows === null ? "The deleted posts could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {rows === null ? (
        list.isLoading.value && <SkeletonRows />
      ) : rows.length === 0 ? (
        <div class="empty">
          <h2>No deleted posts</h2>
          <p class="muted">
            {deletedDays === 0
              ? "This server does not keep deleted posts."
              : `You can restore a deleted post for ${dayCount(deletedDays)}. Then it is gone for good.`}
          </p>
        </div>
      ) : (
        <DeletedTable
          {...{ list, rows, selection, deletedDays, isBusy }}
          failures={failures.value}
          onRestore={(row) => void restore([row])}
        />
      )}
      {selected.ids.size > 0 && (
        <section class="bulk" aria-label="Selected posts" data-region>
          <p role="status">{isBusy ? `${done.value} of ${selected.ids.size} done` : `${selected.ids.size} selected`}</p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => void restore((rows ?? []).filter(({ id }) => selected.ids.has(id)))}
          >
            Restore
          </button>
          <button
            type="button"
            class="quiet"
            disabled={isBusy}
            onClick={() => {
              selection.value = NOTHING;
            }}
          >
            Clear
          </button>
        </section>
      )}
    </>
  );
}

function listOf(api: StudioApi): DeletedList {
  const list = lists.get(api) ?? new DeletedList(api);
  lists.set(api, list);
  return list;
}

/** The row that stands where the first of those rows stood, once they are gone. */
function rowAfter(rows: readonly DeletedRow[], gone: readonly DeletedRow[]): string | null {
  const first = rows.findIndex(({ id }) => id === gone[0]?.id);
  const isGone = new Set(gone.map(({ id }) => id));
  const rest = rows.slice(first).find(({ id }) => !isGone.has(id)) ?? rows.findLast(({ id }) => !isGone.has(id));
  return rest?.id ?? null;
}

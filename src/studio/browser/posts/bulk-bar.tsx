import { useSignal } from "@preact/signals";
import type { StudioApi } from "../api/client.ts";
import type { Studio } from "../ports.ts";
import { type BulkAction, bulkWords, concerns, restoreWords, runBulk, runRestore } from "./bulk.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import type { PostList, Row } from "./post-list.ts";

export interface BulkBarProps {
  readonly api: StudioApi;
  readonly studio: Pick<Studio, "notify" | "server">;
  readonly list: PostList;
  /** The selected rows. */
  readonly rows: readonly Row[];
  readonly onFailures: (failures: ReadonlyMap<string, string>) => void;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

const ACTION_NAMES: Readonly<Record<BulkAction, string>> = {
  publish: "Publish",
  unpublish: "Unpublish",
  archive: "Archive",
  delete: "Delete",
};

/** Actions for the selected posts. */
export function BulkBar({ api, studio, list, rows, onFailures, onSelect }: BulkBarProps) {
  const asked = useSignal<BulkAction | null>(null);
  const done = useSignal<number | null>(null);
  const isBusy = done.value !== null;

  async function run(action: BulkAction, chosen: readonly Row[]): Promise<void> {
    done.value = 0;
    const next = rowAfter(list, chosen);
    const result = await runBulk(
      api,
      action,
      chosen,
      () => crypto.randomUUID(),
      (count) => {
        done.value = count;
      },
    );
    list.patch(result.done);
    onFailures(new Map([...result.failed].map(([id, { message }]) => [id, message])));
    onSelect(new Set(result.failed.keys()));
    const canUndo = action === "delete" && result.done.size > 0 && studio.server.value.deletedDays > 0;
    const undo = { label: "Undo", run: () => restore([...result.done.keys()].map((id) => ({ id }))) };
    studio.notify(bulkWords(action, result), canUndo ? undo : undefined);
    done.value = null;
    if (action === "delete") requestAnimationFrame(() => document.getElementById(`post-${next}`)?.focus());
  }

  async function restore(deleted: readonly { readonly id: string }[]): Promise<void> {
    const { done: restored, failed } = await runRestore(api, deleted, () => crypto.randomUUID());
    studio.notify(restoreWords(restored.size, failed.size));
    await list.reload();
  }

  return (
    <section class="bulk" aria-label="Selected posts" data-region>
      <p role="status">{isBusy ? `${done.value} of ${rows.length} done` : `${rows.length} selected`}</p>
      {(Object.keys(ACTION_NAMES) as BulkAction[]).map((action) => {
        const chosen = rows.filter((row) => concerns(action, row));
        return (
          chosen.length > 0 && (
            <button
              key={action}
              type="button"
              disabled={isBusy}
              class={action === "delete" ? "danger" : undefined}
              onClick={() => {
                asked.value = action;
              }}
            >
              {ACTION_NAMES[action]}
              {chosen.length < rows.length && ` (${chosen.length})`}
            </button>
          )
        );
      })}
      <button type="button" class="quiet" disabled={isBusy} onClick={() => onSelect(new Set())}>
        Clear
      </button>
      {asked.value !== null && (
        <BulkDialog
          action={asked.value}
          deletedDays={studio.server.value.deletedDays}
          rows={rows.filter((row) => asked.value !== null && concerns(asked.value, row))}
          onClose={() => {
            asked.value = null;
          }}
          onConfirm={(action, chosen) => {
            asked.value = null;
            void run(action, chosen);
          }}
        />
      )}
    </section>
  );
}

/** The row that stands where the first of those rows stood, once they are gone. */
function rowAfter(list: PostList, gone: readonly Row[]): string | null {
  const rows = list.rows.peek() ?? [];
  const first = rows.findIndex(({ id }) => id === gone[0]?.id);
  const isGone = new Set(gone.map(({ id }) => id));
  const rest = rows.slice(first).find(({ id }) => !isGone.has(id)) ?? rows.findLast(({ id }) => !isGone.has(id));
  return rest?.id ?? null;
}

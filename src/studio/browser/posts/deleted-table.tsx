import type { Signal } from "@preact/signals";
import { Icon } from "../frame/icon.tsx";
import { More } from "../frame/list/more.tsx";
import { Time } from "../frame/text/time.tsx";
import { type DeletedList, type DeletedRow, goneAt } from "./deleted-list.ts";
import { SelectAll } from "./select-all.tsx";
import { type Selection, toggled } from "./selection.ts";

interface DeletedTableProps {
  readonly list: DeletedList;
  readonly rows: readonly DeletedRow[];
  readonly selection: Signal<Selection>;
  /** Why a post was not restored, by ids. */
  readonly failures: ReadonlyMap<string, string>;
  readonly deletedDays: number;
  readonly isBusy: boolean;
  readonly onRestore: (row: DeletedRow) => void;
}

export function DeletedTable({ list, rows, selection, failures, deletedDays, isBusy, onRestore }: DeletedTableProps) {
  const ids = rows.map(({ id }) => id);
  const { ids: selected } = selection.value;
  return (
    <>
      <table class="rows posts deleted">
        <thead>
          <tr>
            <SelectAll ids={ids} selection={selection} />
            <th scope="col">Title</th>
            <th scope="col">Author</th>
            <th scope="col" aria-sort="descending">
              Deleted
            </th>
            <th scope="col">Gone for good</th>
            <th scope="col">
              <span class="visually-hidden">Restore</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} class={selected.has(row.id) ? "selected" : undefined} data-post={row.id}>
              <td class="pick">
                <label>
                  <span class="visually-hidden">Select {row.title}</span>
                  <input
                    type="checkbox"
                    checked={selected.has(row.id)}
                    onClick={({ currentTarget, shiftKey }) => {
                      selection.value = toggled(selection.value, row.id, ids, shiftKey);
                      // A range leaves the row selected, whatever the browser made of the click.
                      currentTarget.checked = selection.value.ids.has(row.id);
                    }}
                  />
                </label>
              </td>
              <th scope="row" class="name">
                <span class="row-title" dir="auto">
                  {row.title}
                </span>
                {failures.has(row.id) && (
                  <span class="field-error">
                    <Icon name="warning" /> {failures.get(row.id)}
                  </span>
                )}
              </th>
              <td class="author" dir="auto">
                {row.author.name}
              </td>
              <td class="when">
                <Time value={row.deletedAt} />
                {row.deletedBy !== null && row.deletedBy.id !== row.author.id && (
                  <span dir="auto"> by {row.deletedBy.name}</span>
                )}
              </td>
              <td class="gone">
                <Time value={goneAt(row, deletedDays)} />
              </td>
              <td class="act">
                <button
                  id={`post-${row.id}`}
                  type="button"
                  class="quiet"
                  aria-label={`Restore ${row.title}`}
                  aria-disabled={isBusy}
                  onClick={() => onRestore(row)}
                >
                  Restore
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {list.hasMore.value && <More list={list} />}
    </>
  );
}

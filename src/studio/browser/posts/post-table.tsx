import type { Signal } from "@preact/signals";
import { More } from "../frame/list/more.tsx";
import { dayName, scheduledDays } from "../publishing/schedule/days.ts";
import { type ListView, pathOf } from "./list-address.ts";
import type { PostList, Row } from "./post-list.ts";
import { PostRow } from "./post-row.tsx";
import { timeOf } from "./row-words.ts";
import { SelectAll } from "./select-all.tsx";
import { type Selection, toggled } from "./selection.ts";

interface PostTableProps {
  readonly list: PostList;
  readonly rows: readonly Row[];
  readonly selection: Signal<Selection>;
  /** Why a change failed, by ids. */
  readonly failures: ReadonlyMap<string, string>;
  readonly onDevice: ReadonlySet<string>;
  readonly zone: string;
  readonly href: (path: string) => string;
}

export function PostTable({ list, rows, selection, failures, onDevice, zone, href }: PostTableProps) {
  const { view } = list;
  const ids = rows.map(({ id }) => id);
  const { ids: selected } = selection.value;
  const days = daysOf(view, rows, zone);
  return (
    <>
      <table class="rows posts">
        <thead>
          <tr>
            <SelectAll ids={ids} selection={selection} />
            <SortedHead name="Title" order="title" direction="ascending" view={view} href={href} />
            <th scope="col">State</th>
            <th scope="col">Author</th>
            {view.tab === "scheduled" ? (
              <th scope="col" aria-sort="ascending">
                Goes live
              </th>
            ) : view.tab === "published" ? (
              <SortedHead name="Published" order="published" direction="descending" view={view} href={href} />
            ) : (
              <SortedHead name="Changed" order="changed" direction="descending" view={view} href={href} />
            )}
            <th scope="col" class="words">
              Words
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => [
            days.has(index) && (
              <tr key={`day ${days.get(index)}`} class="day">
                <th scope="rowgroup" colSpan={6}>
                  {days.get(index)}
                </th>
              </tr>
            ),
            <PostRow
              key={row.id}
              {...{ row, view, zone, href }}
              isSelected={selected.has(row.id)}
              news={list.gone.value.has(row.id) ? "deleted" : list.changed.value.has(row.id) ? "changed" : null}
              isOnDevice={onDevice.has(row.id)}
              failure={failures.get(row.id) ?? null}
              onToggle={(isRange) => {
                selection.value = toggled(selection.value, row.id, ids, isRange);
                return selection.value.ids.has(row.id);
              }}
            />,
          ])}
        </tbody>
      </table>
      {list.hasMore.value && <More list={list} />}
    </>
  );
}

/** Names of the days on which scheduled posts go live, by the place of the first row of each. */
function daysOf({ tab }: ListView, rows: readonly Row[], zone: string): ReadonlyMap<number, string> {
  if (tab !== "scheduled") return new Map();
  let at = 0;
  const starts = scheduledDays(
    rows.map((row) => ({ publishAt: timeOf(row, tab) })),
    zone,
  ).map(({ date, posts }): [number, string] => {
    at += posts.length;
    return [at - posts.length, dayName(date)];
  });
  return new Map(starts);
}

interface SortedHeadProps {
  readonly name: string;
  readonly order: ListView["order"];
  readonly direction: "ascending" | "descending";
  readonly view: ListView;
  readonly href: (path: string) => string;
}

function SortedHead({ name, order, direction, view, href }: SortedHeadProps) {
  const isSorted = view.order === order && (view.q === "" || order !== "changed") && view.tab !== "scheduled";
  if (view.tab === "scheduled") return <th scope="col">{name}</th>;
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined}>
      <a href={href(pathOf({ ...view, order }))}>{name}</a>
    </th>
  );
}

import type { Signal } from "@preact/signals";
import { allOf, NOTHING, type Selection } from "./selection.ts";

interface SelectAllProps {
  /** Ids of all rows, in their order. */
  readonly ids: readonly string[];
  readonly selection: Signal<Selection>;
}

/** Head of the column with a checkbox for each row. */
export function SelectAll({ ids, selection }: SelectAllProps) {
  const { ids: selected } = selection.value;
  const isAll = ids.every((id) => selected.has(id));
  return (
    <th scope="col" class="pick">
      <label>
        <span class="visually-hidden">Select all posts shown</span>
        <input
          type="checkbox"
          checked={isAll}
          indeterminate={!isAll && ids.some((id) => selected.has(id))}
          onChange={() => {
            selection.value = isAll ? NOTHING : allOf(ids);
          }}
        />
      </label>
    </th>
  );
}

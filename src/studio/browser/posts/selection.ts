/** Selected rows, by their ids in the order of the list. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** The row from which Shift selects on. */
  readonly anchor: string | null;
}

export const NOTHING: Selection = { ids: new Set(), anchor: null };

/** Selects or releases a row; with `isRange`, all rows from the anchor to it. */
export function toggled({ ids, anchor }: Selection, id: string, order: readonly string[], isRange: boolean): Selection {
  const next = new Set(ids);
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  if (isRange && from !== -1 && to !== -1) {
    for (const one of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one);
  } else if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

export function allOf(order: readonly string[]): Selection {
  return { ids: new Set(order), anchor: null };
}

/** The selection without rows that are gone. */
export function keptIn({ ids, anchor }: Selection, order: readonly string[]): Selection {
  const there = new Set(order);
  return {
    ids: new Set([...ids].filter((id) => there.has(id))),
    anchor: anchor !== null && there.has(anchor) ? anchor : null,
  };
}

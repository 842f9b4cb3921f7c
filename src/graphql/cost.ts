import type { PostSelection, RootSelection, SlotValues, UserSelection } from "../domain/selection.ts";

/**
 * What a root field may cost: one point for each object that could be returned, a full page counted for each list.
 * A list holds `values[slot]` objects; a link holds one.
 */
export interface CostNode {
  readonly slot: number | null;
  readonly children: readonly CostNode[];
}

/** What a change costs beside the object that answers it. */
export const MUTATION_COST = 10;

export function costTree(root: RootSelection): CostNode {
  const children = childrenOf(root.selection);
  return { slot: root.kind === "posts" ? root.first.slot : null, children };
}

function childrenOf(selection: UserSelection | PostSelection): CostNode[] {
  const children: CostNode[] = [];
  for (const field of selection.fields) {
    if (field.kind === "posts") children.push({ slot: field.first.slot, children: childrenOf(field.selection) });
    if (field.kind === "author") children.push({ slot: null, children: childrenOf(field.selection) });
  }
  return children;
}

export function costOf({ slot, children }: CostNode, values: SlotValues): number {
  let each = 1;
  for (const child of children) each += costOf(child, values);
  return slot === null ? each : each * Number(values[slot]);
}

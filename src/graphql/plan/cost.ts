import type {
  ConnectionField,
  DeletedPostConnection,
  DeletedPostSelection,
  PostConnection,
  PostPartSelection,
  PostSelection,
  RevisionConnection,
  RootSelection,
  Slot,
  SlotValues,
  UserConnection,
  UserSelection,
} from "../../domain/reading/selection.ts";
import { MAX_PREVIEW_LINKS } from "../../domain/reading/selection.ts";

/**
 * The cost of a root field: one point per object that could be returned, with a full page per list.
 * There are `values[slot]` of it, or one.
 */
export interface CostNode {
  readonly slot: number | null;
  /** Most objects of this kind, where that does not depend on the request. */
  readonly times?: number;
  /** Points of each object, without those inside it. */
  readonly points: number;
  readonly children: readonly CostNode[];
}

/** Points of a change, besides the object in its answer. */
export const MUTATION_COST = 10;
/** Points of `totalCount`, which reads every entry of the list. */
const COUNT_COST = 10;

type Selection = UserSelection | PostSelection | PostPartSelection | DeletedPostSelection;

export function costTree(root: RootSelection): CostNode {
  switch (root.kind) {
    case "posts":
    case "users":
      return objects(root.first, [root.selection]);
    case "postsConnection":
    case "usersConnection":
    case "deletedPosts":
      return connectionCost(root);
    case "node":
      return objects(null, [root.user, root.post]);
    case "nodes":
      return objects(root.count, [root.user, root.post]);
    default:
      return objects(null, [root.selection]);
  }
}

/** @param count null for one */
function objects(count: Slot | null, selections: readonly Selection[]): CostNode {
  return { slot: count?.slot ?? null, points: 1, children: selections.flatMap(childrenOf) };
}

function childrenOf(selection: Selection): CostNode[] {
  const children: CostNode[] = [];
  for (const field of selection.fields) {
    if (field.kind === "posts") children.push(objects(field.first, [field.selection]));
    if (field.kind === "postsConnection" || field.kind === "revisions") children.push(connectionCost(field));
    if (
      field.kind === "author" ||
      field.kind === "person" ||
      field.kind === "workingCopy" ||
      field.kind === "plannedUpdate"
    )
      children.push(objects(null, [field.selection]));
    if (field.kind === "previewLinks") children.push({ ...objects(null, [field.selection]), times: MAX_PREVIEW_LINKS });
  }
  return children;
}

function connectionCost(
  connection: PostConnection | UserConnection | RevisionConnection | DeletedPostConnection,
): CostNode {
  const fields: readonly ConnectionField<Selection>[] = connection.fields;
  const children = fields.flatMap((field) => {
    if (field.kind === "nodes") return [objects(connection.first, [field.selection])];
    if (field.kind === "boundedCount") return [{ slot: null, points: 1, children: [] }];
    if (field.kind === "totalCount") return [{ slot: null, points: COUNT_COST, children: [] }];
    if (field.kind !== "edges") return [];
    const nodes = field.fields.flatMap((inner) => (inner.kind === "node" ? [inner.selection] : []));
    return [objects(connection.first, nodes)];
  });
  return { slot: null, points: 1, children };
}

export function costOf({ slot, times = 1, points, children }: CostNode, values: SlotValues): number {
  let each = points;
  for (const child of children) each += costOf(child, values);
  return slot === null ? each * times : each * Number(values[slot]);
}

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
  UserConnection,
  UserSelection,
} from "../../domain/reading/selection.ts";

export type Type = "post" | "user";

/** Keys of one root field: the objects that its answer depends on. */
export interface SurrogateKeys {
  /** Types that are read in any way. */
  readonly types: ReadonlySet<Type>;
  /** Types of which objects are found in another way than by an id of the request: in lists, as authors. */
  readonly reached: ReadonlySet<Type>;
  /** Objects of the root that the request names: the slot of an id, or of a JSON array of them. */
  readonly named: { readonly slot: number; readonly isList: boolean; readonly types: readonly Type[] } | null;
}

const BOTH: readonly Type[] = ["post", "user"];

/** For a plan, once. A type key stands for every object of the type, those that are not there yet among them. */
export function keysOf(root: RootSelection): SurrogateKeys {
  const reached = new Set<Type>();
  switch (root.kind) {
    case "workingCopy": // the answer of a change, which is never kept
    case "post":
    case "user":
      addLinked(reached, root.selection);
      return keys(reached, { ...root.id, isList: false, types: [root.kind === "user" ? "user" : "post"] });
    case "node":
    case "nodes":
      addLinked(reached, root.user);
      addLinked(reached, root.post);
      return keys(reached, { ...idsOf(root), types: BOTH });
    case "postBySlug":
      addObjects(reached, "post", root.selection);
      break;
    case "previewLink":
      addLinked(reached, root.selection);
      break;
    case "posts":
      addObjects(reached, "post", root.selection);
      break;
    case "users":
      addObjects(reached, "user", root.selection);
      break;
    case "postsConnection":
      addConnection(reached, "post", root);
      break;
    case "usersConnection":
      addConnection(reached, "user", root);
      break;
    case "deletedPosts": // a post that is deleted or restored tells its key
      addConnection(reached, "post", root);
      break;
  }
  return keys(reached, null);
}

function idsOf(root: { kind: "node"; id: Slot } | { kind: "nodes"; ids: Slot }) {
  return root.kind === "node" ? { ...root.id, isList: false } : { ...root.ids, isList: true };
}

function keys(reached: ReadonlySet<Type>, named: SurrogateKeys["named"]): SurrogateKeys {
  return { types: new Set([...reached, ...(named?.types ?? [])]), reached, named };
}

type Selection = UserSelection | PostSelection | PostPartSelection | DeletedPostSelection;

function addObjects(reached: Set<Type>, type: Type, selection: Selection): void {
  reached.add(type);
  addLinked(reached, selection);
}

function addLinked(reached: Set<Type>, { fields }: Selection): void {
  for (const field of fields) {
    if (field.kind === "posts") addObjects(reached, "post", field.selection);
    if (field.kind === "postsConnection") addConnection(reached, "post", field);
    if (field.kind === "author" || field.kind === "person") addObjects(reached, "user", field.selection);
    if (field.kind === "workingCopy" || field.kind === "plannedUpdate" || field.kind === "previewLinks")
      addLinked(reached, field.selection);
    if (field.kind === "revisions") addEntries(reached, field);
  }
}

function addConnection(
  reached: Set<Type>,
  type: Type,
  connection: PostConnection | UserConnection | DeletedPostConnection,
): void {
  reached.add(type); // a count and a cursor depend on the entries too
  addEntries(reached, connection);
}

function addEntries(
  reached: Set<Type>,
  connection: PostConnection | UserConnection | RevisionConnection | DeletedPostConnection,
): void {
  const fields: readonly ConnectionField<Selection>[] = connection.fields;
  for (const field of fields) {
    if (field.kind === "nodes") addLinked(reached, field.selection);
    if (field.kind !== "edges") continue;
    for (const inner of field.fields) if (inner.kind === "node") addLinked(reached, inner.selection);
  }
}

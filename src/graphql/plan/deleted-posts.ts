import type { DeletedPostConnection, DeletedPostSelection } from "../../domain/reading/selection.ts";
import { isDeletedPostColumn } from "../../domain/reading/stored-fields.ts";
import { connectionFields } from "./connections.ts";
import { deletedList, type ListSite } from "./lists.ts";
import type { PostPartContext } from "./post-parts.ts";
import { type Selected, unplanned } from "./selector.ts";

export function deletedPostConnection(site: ListSite, context: PostPartContext): DeletedPostConnection {
  const { page, list } = deletedList(site);
  site.slots.bindViewer(site.field);
  const post = (node: Selected) => deletedPostSelection(node, context);
  return { ...page, list, fields: connectionFields("DeletedPost", site.field, context.selector, site.slots, post) };
}

function deletedPostSelection(parent: Selected, { selector, user }: PostPartContext): DeletedPostSelection {
  const fields = selector.select("DeletedPost", parent.nodes).map((field): DeletedPostSelection["fields"][number] => {
    const { key, name } = field;
    if (name === "__typename") return { kind: "constant", key, value: "DeletedPost" };
    if (name === "author") return { kind: "author", key, selection: user(field) };
    if (name === "deletedBy") return { kind: "person", key, selection: user(field) };
    if (isDeletedPostColumn(name)) return { kind: "column", key, column: name };
    throw unplanned("DeletedPost", field);
  });
  return { type: "DeletedPost", fields };
}

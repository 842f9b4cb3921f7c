import type { ConnectionField, EdgeField, PageInfoField } from "../../domain/reading/selection.ts";
import type { FieldNodes } from "../documents/collect-fields.ts";
import { type Selected, type Selector, unplanned } from "./selector.ts";
import type { Slots } from "./slots.ts";

/** Selected fields of a connection, down to its nodes, which `plan` plans. */
export function connectionFields<Selection>(
  nodeType: "Post" | "User" | "PostRevision" | "DeletedPost",
  parent: Selected,
  selector: Selector,
  slots: Slots,
  plan: (node: Selected) => Selection,
): readonly ConnectionField<Selection>[] {
  const type = `${nodeType}Connection`;
  return selector.select(type, parent.nodes).map((field): ConnectionField<Selection> => {
    const { key, name, nodes } = field;
    switch (name) {
      case "__typename":
        return { kind: "constant", key, value: type };
      case "totalCount":
        return { kind: name, key };
      case "boundedCount":
        return { kind: name, key, upTo: slots.bindBound(field) };
      case "nodes":
        return { kind: name, key, selection: plan(field) };
      case "edges":
        return { kind: name, key, fields: edgeFields(`${nodeType}Edge`, nodes, selector, plan) };
      case "pageInfo":
        return { kind: name, key, fields: pageInfoFields(nodes, selector) };
      default:
        throw unplanned(type, field);
    }
  });
}

function edgeFields<Selection>(
  type: string,
  parents: FieldNodes,
  selector: Selector,
  plan: (node: Selected) => Selection,
): readonly EdgeField<Selection>[] {
  return selector.select(type, parents).map((field): EdgeField<Selection> => {
    const { key, name } = field;
    switch (name) {
      case "__typename":
        return { kind: "constant", key, value: type };
      case "node":
        return { kind: name, key, selection: plan(field) };
      case "cursor":
      case "highlight":
        return { kind: name, key };
      default:
        throw unplanned(type, field);
    }
  });
}

function pageInfoFields(parents: FieldNodes, selector: Selector): readonly PageInfoField[] {
  return selector.select("PageInfo", parents).map((field): PageInfoField => {
    const { key, name } = field;
    switch (name) {
      case "__typename":
        return { kind: "constant", key, value: "PageInfo" };
      case "hasNextPage":
      case "hasPreviousPage":
      case "startCursor":
      case "endCursor":
        return { kind: name, key };
      default:
        throw unplanned("PageInfo", field);
    }
  });
}

import { getNamedType, isObjectType } from "graphql";
import { shapeOf } from "./object-shape.ts";
import type { ObjectField } from "./root-field.ts";
import type { Selected, Selector } from "./selector.ts";

/** Points of each query that is answered object by object, without the scope `admin`: execution/objects.ts answers them. */
const POINTS: ReadonlyMap<string, number> = new Map([
  ["viewerRole", 1],
  ["serverInfo", 1],
  ["renderMarkdown", 5],
  ["preview", 5],
]);

/** @returns null for a field that is planned in another way */
export function objectPoints(typeName: string, name: string): number | null {
  return typeName === "Query" ? (POINTS.get(name) ?? null) : null;
}

export function planObject(field: Selected, points: number, selector: Selector): ObjectField {
  const { definition, nodes } = field;
  const isLeaf = !isObjectType(getNamedType(definition.type));
  return {
    definition,
    node: nodes[0],
    shape: isLeaf ? null : shapeOf(field, selector),
    cost: { slot: null, points, children: [] },
    bindings: [],
  };
}

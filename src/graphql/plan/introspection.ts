import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode } from "graphql";
import type { Fragments } from "../documents/collect-fields.ts";

/** The operation with its introspection fields alone, for graphql-js; null where it has none. */
export function introspectionOf(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  selections: readonly FieldNode[],
): DocumentNode | null {
  if (selections.length === 0) return null;
  const reduced = { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
  return { kind: Kind.DOCUMENT, definitions: [reduced, ...fragments.values()] };
}

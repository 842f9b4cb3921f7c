import { type DocumentNode, executeSync, type GraphQLSchema } from "graphql";
import type { VariableInputs } from "../documents/variables.ts";

/** JSON text by response key. */
export type Introspected = Readonly<Record<string, string>>;

const constants = new WeakMap<DocumentNode, Introspected>();

/**
 * Answers `__schema` and `__type`. The schema does not change while the process runs, so a document without variables
 * is answered once.
 */
export function introspect(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableValues: VariableInputs,
): Introspected {
  const known = constants.get(document);
  if (known !== undefined) return known;
  const { data, errors } = executeSync({ schema, document, variableValues });
  if (data === undefined || data === null) throw new Error("Introspection failed.", { cause: errors });
  const texts: Introspected = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, JSON.stringify(value)]),
  );
  const usesVariables = document.definitions.some(
    (definition) => "variableDefinitions" in definition && (definition.variableDefinitions?.length ?? 0) > 0,
  );
  if (!usesVariables) constants.set(document, texts);
  return texts;
}

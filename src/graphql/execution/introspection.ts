import { type DocumentNode, executeSync, type GraphQLError, type GraphQLSchema, visit } from "graphql";
import { AppError } from "../../domain/errors.ts";
import type { VariableInputs } from "../documents/variables.ts";

/** JSON text by response key. */
export type Introspected = Readonly<Record<string, string>>;

const constants = new WeakMap<DocumentNode, Introspected>();

/**
 * Answers `__schema` and `__type`. The schema does not change while the process runs, so a document without variables
 * is answered once.
 *
 * @throws AppError BAD_USER_INPUT for a null where an argument must not be null
 */
export function introspect(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableValues: VariableInputs,
): Introspected {
  const known = constants.get(document);
  if (known !== undefined) return known;
  const { data, errors } = executeSync({ schema, document, variableValues });
  const [error] = errors ?? [];
  if (error !== undefined) throw brokenRule(error, document);
  if (data === undefined || data === null) throw new Error("Introspection gave no data.");
  const texts: Introspected = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, JSON.stringify(value)]),
  );
  const usesVariables = document.definitions.some(
    (definition) => "variableDefinitions" in definition && (definition.variableDefinitions?.length ?? 0) > 0,
  );
  if (!usesVariables) constants.set(document, texts);
  return texts;
}

/** The schema itself never fails: only a variable can be wrong. */
function brokenRule({ message, nodes = [] }: GraphQLError, document: DocumentNode): AppError {
  let field: string | undefined;
  visit(document, {
    Argument({ name, value }) {
      if (nodes.includes(value)) field = name.value;
    },
  });
  return new AppError("BAD_USER_INPUT", message, field === undefined ? {} : { field });
}

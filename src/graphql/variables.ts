import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type VariableDefinitionNode,
  type VariableValues,
} from "graphql";
import { DocumentError, documentEntry, type ErrorEntry } from "./errors.ts";

export type VariableInputs = Readonly<Record<string, unknown>>;

/**
 * Makes the function that turns the variables of one request into coerced ones (GraphQL specification section 6.1.2).
 * It throws DocumentError (BAD_USER_INPUT).
 */
export function compileVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  hideSuggestions: boolean,
): (inputs: VariableInputs) => VariableValues {
  const coerce = (inputs: VariableInputs): VariableValues => {
    const { variableValues, errors } = getVariableValues(schema, definitions, inputs, {
      maxErrors: 10,
      hideSuggestions,
    });
    if (errors !== undefined) throw new DocumentError(errors.map(variableEntry));
    return variableValues;
  };
  if (definitions.length > 0) return coerce;
  const none = coerce({});
  return () => none;
}

function variableEntry(error: GraphQLError): ErrorEntry {
  const entry = documentEntry(error, "BAD_USER_INPUT");
  const node = error.nodes?.[0];
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return entry;
  return { ...entry, extensions: { ...entry.extensions, field: node.variable.name.value } };
}

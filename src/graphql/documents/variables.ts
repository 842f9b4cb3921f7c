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
  if (definitions.length === 0) {
    const none = coerce({});
    return () => none;
  }
  const variables = definitions.map((definition) => readVariable(schema, definition));
  if (!variables.every((variable) => variable !== null)) return coerce;
  return (inputs) => takeOver(variables, inputs) ?? coerce(inputs);
}

/** A variable whose values are right as they come: of a scalar type that every schema has. */
interface Variable {
  readonly name: string;
  readonly isNullable: boolean;
  readonly isRight: (value: unknown) => boolean;
  /** undefined when there is none. */
  readonly fallback: unknown;
  readonly signature: VariableValues["sources"][string]["signature"];
}

/** Numbers as identifiers are right too, but come as text out of coercion. */
const SCALARS: Readonly<Record<string, { isRight(value: unknown): boolean; readonly example: unknown }>> = {
  ID: { isRight: (value) => typeof value === "string", example: "" },
  String: { isRight: (value) => typeof value === "string", example: "" },
  Boolean: { isRight: (value) => typeof value === "boolean", example: true },
  Int: { isRight: (value) => typeof value === "number" && (value | 0) === value, example: 0 },
};

function readVariable(schema: GraphQLSchema, definition: VariableDefinitionNode): Variable | null {
  const name = definition.variable.name.value;
  const isNullable = definition.type.kind !== Kind.NON_NULL_TYPE;
  const type = definition.type.kind === Kind.NON_NULL_TYPE ? definition.type.type : definition.type;
  const scalar = type.kind === Kind.NAMED_TYPE ? SCALARS[type.name.value] : undefined;
  if (scalar === undefined) return null;
  const read = (inputs: VariableInputs) => getVariableValues(schema, [definition], inputs).variableValues;
  const signature = read({ [name]: scalar.example })?.sources[name]?.signature;
  if (signature === undefined) return null;
  const fallback = definition.defaultValue === undefined ? undefined : read({})?.coerced[name];
  return { name, isNullable, isRight: scalar.isRight, fallback, signature };
}

/** The same values as graphql-js, in a tenth of the time (measured); null if graphql-js must decide. */
function takeOver(variables: readonly Variable[], inputs: VariableInputs): VariableValues | null {
  const sources: Record<string, { signature: Variable["signature"]; value?: unknown }> = Object.create(null);
  const coerced: Record<string, unknown> = Object.create(null);
  for (const { name, isNullable, isRight, fallback, signature } of variables) {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value === undefined) {
      sources[name] = { signature };
      if (fallback !== undefined) coerced[name] = fallback;
      else if (!isNullable) return null;
    } else {
      if (value === null ? !isNullable : !isRight(value)) return null;
      sources[name] = { signature, value };
      coerced[name] = value;
    }
  }
  return { sources, coerced };
}

function variableEntry(error: GraphQLError): ErrorEntry {
  const entry = documentEntry(error, "BAD_USER_INPUT");
  const node = error.nodes?.[0];
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return entry;
  return { ...entry, extensions: { ...entry.extensions, field: node.variable.name.value } };
}

import {
  type ArgumentNode,
  coerceInputLiteral,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  Kind,
  type VariableValues,
} from "graphql";
import { AppError, badInput } from "../domain/errors.ts";
import { parseId } from "../domain/id.ts";
import type { SlotValues } from "../domain/selection.ts";

type SlotValue = SlotValues[number];

/** How one slot of a read gets its value from the variables of a request. */
export interface Binding {
  /** Where the value stands in the document, for errors. */
  readonly node: ArgumentNode | FieldNode;
  /** @throws AppError BAD_USER_INPUT */
  readonly value: (variables: VariableValues) => SlotValue;
}

/** An argument `id: ID!`. What is no identifier of ours names no object, so it binds as SQL NULL. */
export function bindId(field: GraphQLField<unknown, unknown>, node: FieldNode): Binding {
  return bind(field, node, "id", (value) => {
    if (typeof value !== "string") throw badInput("id", "id must not be null.");
    return parseId(value);
  });
}

/** An argument `first: Int`: a page size from 0 to `limit`. null means the same as nothing: the default page. */
export function bindPageSize(field: GraphQLField<unknown, unknown>, node: FieldNode, limit: number): Binding {
  const page = Math.min(defaultPage(field), limit);
  return bind(field, node, "first", (value) => {
    if (value === null || value === undefined) return page;
    if (typeof value === "number" && value >= 0 && value <= limit) return value;
    throw badInput("first", `first must be from 0 to ${limit}.`);
  });
}

/** @param convert is given undefined where the argument, or the variable for it, is absent */
function bind(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  name: string,
  convert: (value: unknown) => SlotValue,
): Binding {
  const argument = node.arguments?.find((candidate) => candidate.name.value === name);
  if (argument === undefined) return { node, value: () => convert(undefined) };
  if (argument.value.kind === Kind.VARIABLE) {
    const variable = argument.value.name.value;
    return { node: argument, value: ({ coerced }) => convert(coerced[variable]) };
  }
  const constant = coerceInputLiteral(argument.value, definitionOf(field, name).type);
  return { node: argument, value: () => convert(constant) };
}

function defaultPage(field: GraphQLField<unknown, unknown>): number {
  const { default: value, type } = definitionOf(field, "first");
  const page = value?.literal === undefined ? undefined : coerceInputLiteral(value.literal, type);
  return typeof page === "number" ? page : Number.POSITIVE_INFINITY;
}

function definitionOf(field: GraphQLField<unknown, unknown>, name: string): GraphQLArgument {
  const definition = field.args.find((argument) => argument.name === name);
  if (definition === undefined) throw new AppError("INTERNAL", `The schema has no argument ${name} on ${field.name}.`);
  return definition;
}

import {
  type ArgumentNode,
  coerceInputLiteral,
  type FieldNode,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputType,
  getArgumentValues,
  Kind,
  type ValueNode,
  type VariableValues,
  validateInputLiteral,
  visit,
} from "graphql";
import { AppError, badInput } from "../../domain/errors.ts";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Viewer } from "../../domain/viewer.ts";

export type SlotValue = SlotValues[number];

/** How one slot of a read gets its value from a request. */
export interface Binding {
  /** The place of the value in the document, for errors. */
  readonly node: ArgumentNode | FieldNode;
  /** @throws AppError BAD_USER_INPUT */
  readonly value: (variables: VariableValues, viewer: Viewer) => SlotValue;
}

/** One argument where a field is selected. */
export interface Argument {
  readonly name: string;
  /** Its place in the document; the field if the argument is omitted. */
  readonly node: ArgumentNode | FieldNode;
  /**
   * Its value in a request: undefined where the argument, or the variable for it, is absent.
   *
   * @throws AppError BAD_USER_INPUT for null inside of it where null is not allowed
   */
  readonly value: (variables: VariableValues) => unknown;
}

export function argumentOf(field: GraphQLField<unknown, unknown>, node: FieldNode, name: string): Argument {
  const argument = node.arguments?.find((candidate) => candidate.name.value === name);
  if (argument === undefined) return { name, node, value: () => undefined };
  const { value } = argument;
  if (value.kind === Kind.VARIABLE) {
    const variable = value.name.value;
    return { name, node: argument, value: ({ coerced }) => coerced[variable] };
  }
  const { type } = definitionOf(field, name);
  if (!hasVariables(value)) {
    const constant = coerceInputLiteral(value, type);
    return { name, node: argument, value: () => constant };
  }
  return {
    name,
    node: argument,
    value: (variables) => {
      const coerced = coerceInputLiteral(value, type, variables);
      if (coerced === undefined) throw brokenRules(argument, type, variables)[0] ?? unexplained(name);
      return coerced;
    },
  };
}

/**
 * CoerceArgumentValues of the GraphQL specification, section 6.4.1.
 *
 * @param broken is called for each rule that a value breaks
 * @returns null where a value breaks a rule
 */
export function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: VariableValues,
  broken: (rule: AppError, node: ArgumentNode) => void,
): Readonly<Record<string, unknown>> | null {
  try {
    return getArgumentValues(field, node, variables);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    let isExplained = false;
    for (const argument of node.arguments ?? []) {
      for (const rule of brokenRules(argument, definitionOf(field, argument.name.value).type, variables)) {
        broken(rule, argument);
        isExplained = true;
      }
    }
    if (!isExplained) throw error;
    return null;
  }
}

/** The rules that a value breaks with these variables: what validation cannot see, because it knows no values. */
function brokenRules({ name, value }: ArgumentNode, type: GraphQLInputType, variables: VariableValues): AppError[] {
  const rules: AppError[] = [];
  const explain = (error: GraphQLError, path: readonly (string | number)[]) => {
    const field = [name.value, ...path].join(".");
    rules.push(new AppError("BAD_USER_INPUT", `${field} is wrong. ${error.message}`, { field }));
  };
  validateInputLiteral(value, type, explain, variables);
  return rules;
}

function unexplained(name: string): AppError {
  return badInput(name, `${name} has a value that the schema does not allow.`);
}

/** The page size where none is given: the default that the schema has, as long as it is within the limit. */
export function defaultPage(field: GraphQLField<unknown, unknown>, limit: number): number {
  const { default: value, type } = definitionOf(field, "first");
  const page = value?.literal === undefined ? undefined : coerceInputLiteral(value.literal, type);
  return Math.min(typeof page === "number" ? page : Number.POSITIVE_INFINITY, limit);
}

/** @throws AppError BAD_USER_INPUT for what is not from 0 to `limit` */
export function pageSize(name: string, value: unknown, limit: number): number {
  if (typeof value === "number" && value >= 0 && value <= limit) return value;
  throw badInput(name, `${name} must be from 0 to ${limit}.`);
}

function hasVariables(value: ValueNode): boolean {
  let found = false;
  visit(value, {
    Variable() {
      found = true;
    },
  });
  return found;
}

function definitionOf(field: GraphQLField<unknown, unknown>, name: string): GraphQLArgument {
  const definition = field.args.find((argument) => argument.name === name);
  if (definition === undefined) throw new AppError("INTERNAL", `The schema has no argument ${name} on ${field.name}.`);
  return definition;
}

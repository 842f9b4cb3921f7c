import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLField, type GraphQLSchema, type ValueNode } from "graphql";

/** schema.graphql at the root of the project. */
export function schemaText(): string {
  return readFileSync(new URL("../../../schema.graphql", import.meta.url), "utf8");
}

/** The public schema. */
export function loadSchema(text = schemaText()): GraphQLSchema {
  // Tests check that it is valid, so a start does not. Nobody needs locations in it.
  return buildSchema(text, { assumeValid: true, noLocation: true });
}

/** Scopes in `@requiresScopes` of this field; empty if there are none. */
export function requiredScopes(field: GraphQLField<unknown, unknown>): readonly string[] {
  const directive = field.astNode?.directives?.find(({ name }) => name.value === "requiresScopes");
  return directive?.arguments?.flatMap((argument) => strings(argument.value)) ?? [];
}

function strings(node: ValueNode): string[] {
  if (node.kind === "StringValue") return [node.value];
  return node.kind === "ListValue" ? node.values.flatMap(strings) : [];
}

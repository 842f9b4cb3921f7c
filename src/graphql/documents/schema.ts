import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLField, type GraphQLSchema, type ValueNode } from "graphql";

/** schema.graphql at the root of the project. */
export function schemaText(): string {
  return readFileSync(new URL("../../../schema.graphql", import.meta.url), "utf8");
}

/** The public schema. */
export function loadSchema(text = schemaText()): GraphQLSchema {
  // That it is valid is for the tests to see, not for each start; where things stand in it, nobody asks.
  return buildSchema(text, { assumeValid: true, noLocation: true });
}

/** What `@requiresScopes` asks for before this field may be read; empty when nothing. */
export function requiredScopes(field: GraphQLField<unknown, unknown>): readonly string[] {
  const directive = field.astNode?.directives?.find(({ name }) => name.value === "requiresScopes");
  return directive?.arguments?.flatMap((argument) => strings(argument.value)) ?? [];
}

function strings(node: ValueNode): string[] {
  if (node.kind === "StringValue") return [node.value];
  return node.kind === "ListValue" ? node.values.flatMap(strings) : [];
}

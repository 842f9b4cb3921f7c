import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  isInputType,
  isLeafType,
  print,
} from "graphql";
import { code, plain } from "../markdown.ts";

/** The pages about the schema, by name of the file without `.md`. */
export const SCHEMA_PAGES = {
  Query: "graphql-queries",
  Mutation: "graphql-mutations",
  Subscription: "graphql-subscriptions",
  types: "graphql-types",
  inputs: "graphql-inputs",
} as const;

/** The page that describes a type. */
export function pageOf(type: GraphQLNamedType): string {
  return isLeafType(type) || isInputType(type) ? SCHEMA_PAGES.inputs : SCHEMA_PAGES.types;
}

const BUILT_IN: ReadonlySet<string> = new Set(["ID", "String", "Int", "Float", "Boolean"]);

/** The type as a link to its description. */
export function typeLink(type: { toString(): string }, named: GraphQLNamedType): string {
  if (BUILT_IN.has(named.name)) return code(String(type));
  return `[${code(String(type))}](${pageOf(named)}.md#${named.name.toLowerCase()})`;
}

/** The value that stands for a missing argument, as the schema writes it. */
export function standardOf({ astNode }: GraphQLArgument | GraphQLInputField): string {
  const value = astNode?.defaultValue;
  return value === undefined ? "" : code(print(value));
}

export function described({
  description,
  deprecationReason,
}: {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}): string {
  const text = plain((description ?? "").replaceAll("\n", " "));
  return deprecationReason == null ? text : `${text} **Deprecated:** ${plain(deprecationReason)}`.trim();
}

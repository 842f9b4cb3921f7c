import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  isUnionType,
} from "graphql";
import { JUST_NOW, WITHIN_AN_HOUR } from "../../../src/domain/recent-sign-in.ts";
import { requiredScopes } from "../../../src/graphql/documents/schema.ts";
import { GUARDED, GUARDED_NOW } from "../../../src/graphql/http/recent-sign-in.ts";
import { code, codes, head, type Page, table } from "../markdown.ts";
import type { Since } from "../since.ts";
import { openCost } from "./cost.ts";
import { EVERYWHERE, errorsOf, type FieldErrors } from "./errors.ts";
import { rootExample, typeExample } from "./examples.ts";
import { described, pageOf, SCHEMA_PAGES, standardOf, typeLink } from "./types.ts";

type Field = GraphQLField<unknown, unknown>;
type Root = "Query" | "Mutation" | "Subscription";

const OPERATIONS = { Query: "query", Mutation: "mutation", Subscription: "subscription" } as const;

const INTRODUCTIONS: Readonly<Record<Root, string>> = {
  Query: "Every field of `Query`: reads, which may be sent by GET or POST.",
  Mutation: "Every field of `Mutation`: changes, which are sent by POST.",
  Subscription:
    "Every field of `Subscription`: events, over WebSocket or Server-Sent Events. [events.md](../events.md) explains both.",
};

const SOURCES = ["schema.graphql"];

/** The pages about the schema: one for each kind of operation, one for its types, and one for the values that it takes. */
export function schemaPages(schema: GraphQLSchema, since: Since, errors: FieldErrors): Page[] {
  const cost = openCost(schema);
  const roots = (["Query", "Mutation", "Subscription"] as const).map((root): Page => {
    const fields = Object.values((schema.getType(root) as { getFields(): Record<string, Field> }).getFields());
    const sections = fields.map((field) => rootField(schema, root, field, { since, errors, cost }));
    const introduction = `${INTRODUCTIONS[root]}\n${everywhere()}`;
    const title = `GraphQL: ${OPERATIONS[root] === "query" ? "queries" : `${OPERATIONS[root]}s`}`;
    return { name: SCHEMA_PAGES[root], text: [head(title, SOURCES, introduction), ...sections].join("\n") };
  });
  const types = Object.values(schema.getTypeMap()).filter(
    ({ name }) => !name.startsWith("__") && !Object.hasOwn(OPERATIONS, name),
  );
  const described = types.filter((type) => !isScalarType(type) || !isSpecifiedScalarType(type));
  const [outputs, inputs] = [SCHEMA_PAGES.types, SCHEMA_PAGES.inputs].map((page) =>
    described.filter((type) => pageOf(type) === page).sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
  return [
    ...roots,
    {
      name: SCHEMA_PAGES.types,
      text: [
        head("GraphQL: types", SOURCES, `Objects and interfaces that \`/graphql\` returns. ${costs()}`),
        ...(outputs ?? []).map((type) => outputType(schema, type, { since, cost })),
      ].join("\n"),
    },
    {
      name: SCHEMA_PAGES.inputs,
      text: [
        head("GraphQL: inputs, enums and directives", SOURCES, "Values that arguments and fields have."),
        ...(inputs ?? []).map((type) => inputType(type, since)),
        ...directives(schema),
      ].join("\n"),
    },
  ];
}

interface Facts {
  readonly since: Since;
  readonly cost: ReturnType<typeof openCost>;
}

function rootField(
  schema: GraphQLSchema,
  root: Root,
  field: Field,
  { since, cost, errors }: Facts & { readonly errors: FieldErrors },
): string {
  const example = rootExample(schema, OPERATIONS[root], field);
  const { points } = cost(example);
  const needed = requiredScopes(field);
  return [
    `## ${field.name}\n`,
    `${described(field)}\n`,
    `- Returns ${typeLink(field.type, getNamedType(field.type))}`,
    `- Scopes: ${needed.length === 0 ? "none" : codes(needed)}`,
    `- Cost of the example: ${points} ${points === 1 ? "point" : "points"}`,
    `- Errors: ${errorLinks(errorsOf(root, field, errors))}`,
    ...recentSignIn(field.name),
    `- Since ${since("schema", root, field.name)}\n`,
    table(["argument", "type", "default", "meaning"], argumentRows(field)),
    block(example),
  ].join("\n");
}

/** The age that the sign-in of the token may have, where that counts. */
function recentSignIn(name: string): string[] {
  if (Object.hasOwn(GUARDED, name)) {
    const isAlways = GUARDED[name]?.({ input: {} }) === true;
    const rest = GUARDED_NOW.has(name) ? `, for other roles within ${JUST_NOW.within}` : "";
    return [`- Sign-in: within ${WITHIN_AN_HOUR.within}${isAlways ? "" : " for the role `ADMIN`"}${rest}`];
  }
  if (GUARDED_NOW.has(name)) return [`- Sign-in: within ${JUST_NOW.within}, if a sign-in gave the token`];
  return [];
}

function outputType(schema: GraphQLSchema, type: GraphQLNamedType, { since, cost }: Facts): string {
  if (isUnionType(type)) {
    const members = type.getTypes().map((member) => typeLink(member, member));
    return [`## ${type.name}\n`, `*union* of ${members.join(", ")}\n`, `${described(type)}\n`].join("\n");
  }
  if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`${type.name} has no fields.`);
  const interfaces = type.getInterfaces().map((one) => typeLink(one, one));
  const kind = isInterfaceType(type) ? "*interface*" : "*object*";
  const fields = Object.values(type.getFields());
  const rows = fields.map((field) => [
    code(field.name),
    typeLink(field.type, getNamedType(field.type)),
    codes(requiredScopes(field)),
    described(field),
    since("schema", type.name, field.name),
  ]);
  const given = fields.flatMap((field) =>
    argumentRows(field).map(([name = "", ...rest]) => [`${code(field.name)} ${name}`, ...rest]),
  );
  const example = typeExample(schema, type);
  if (example === null) throw new Error(`No field of the schema returns ${type.name}.`);
  const { points, scopes } = cost(example);
  const needs = scopes.length === 0 ? "" : `, scopes ${codes(scopes)}`;
  return [
    `## ${type.name}\n`,
    `${kind}${interfaces.length === 0 ? "" : `, also a ${interfaces.join(" and a ")}`}\n`,
    ...(type.description == null ? [] : [`${described(type)}\n`]),
    table(["field", "type", "scopes", "meaning", "since"], rows),
    table(["argument", "type", "default", "meaning"], given),
    `Every field in one document (${points} ${points === 1 ? "point" : "points"}${needs}):\n`,
    block(example),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function inputType(type: GraphQLNamedType, since: Since): string {
  const text = [`## ${type.name}\n`];
  const about = type.description == null ? [] : [`${described(type)}\n`];
  if (isEnumType(type)) {
    const rows = type
      .getValues()
      .map((value) => [code(value.name), described(value), since("schema", type.name, value.name)]);
    return [...text, "*enum*\n", ...about, table(["value", "meaning", "since"], rows)].join("\n");
  }
  if (!isInputObjectType(type)) return [...text, "*scalar*\n", ...about].join("\n");
  const rows = Object.values(type.getFields()).map((field) => [
    code(field.name),
    typeLink(field.type, getNamedType(field.type)),
    standardOf(field),
    described(field),
    since("schema", type.name, field.name),
  ]);
  const kind = type.isOneOf ? "*input*, with exactly one of its fields\n" : "*input*\n";
  return [...text, kind, ...about, table(["field", "type", "default", "meaning", "since"], rows)].join("\n");
}

function directives(schema: GraphQLSchema): string[] {
  return schema
    .getDirectives()
    .filter((directive) => !isSpecifiedDirective(directive))
    .map((directive) => {
      const given = directive.args.map((argument) => `${argument.name}: ${argument.type}`).join(", ");
      return [
        `## @${directive.name}\n`,
        `*directive* ${code(`@${directive.name}(${given})`)}\n`,
        `${described(directive)}\n`,
      ].join("\n");
    });
}

function argumentRows({ args }: Field): string[][] {
  return args.map((argument) => [
    code(argument.name),
    typeLink(argument.type, getNamedType(argument.type)),
    standardOf(argument),
    described(argument),
  ]);
}

function block(example: string): string {
  return ["```graphql schema", example, "```", ""].join("\n");
}

function errorLinks(names: readonly string[]): string {
  return names.length === 0
    ? "those of every field"
    : names.map((name) => `[${code(name)}](errors.md#${name.toLowerCase()})`).join(", ");
}

function everywhere(): string {
  return `Each field has an example, which is valid in this schema. ${costs()}\nBesides the errors that are named, every field may fail with ${errorLinks(EVERYWHERE)}.`;
}

function costs(): string {
  return "[graphql.md](../graphql.md#limits) explains costs.";
}

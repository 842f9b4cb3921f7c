import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import { requiredScopes } from "../../../src/graphql/documents/schema.ts";

type Field = GraphQLField<unknown, unknown>;

const ID = "01990000-0000-7000-8000-000000000000";

/** Texts for arguments, by name; others get a word. */
const TEXTS: Readonly<Record<string, string>> = {
  audience: "https://orders.example.com",
  body: "# Hello",
  email: "ada@example.com",
  expectedVersion: "1",
  from: "2026-11-01T00:00:00.000Z",
  markdown: "# Hello",
  name: "Ada Lovelace",
  origin: "https://app.example.com",
  password: "correct horse battery staple",
  publishAt: "2027-01-31T09:00:00.000Z",
  redirectUris: "https://app.example.com/callback",
  slug: "hello",
  timeZone: "Europe/Berlin",
  title: "Hello",
  until: "2026-12-01T00:00:00.000Z",
  url: "https://example.com/hook",
};

/** Optional members of inputs without which an example would be of no use. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  account: ["id"],
  addMyPost: ["title"],
  UpdatePostInput: ["title"],
  UpdateClientInput: ["name"],
  UpdateWebhookInput: ["url"],
};

/** Entries that lists of an example ask for. */
const PAGE = 10;
/** Levels of objects below the field. */
const DEPTH = 2;
/** Leaves of an object that an example reads. */
const LEAVES = 6;
/** Fields that cost more than others. */
const COSTLY: ReadonlySet<string> = new Set(["totalCount", "boundedCount"]);

/** Arguments with values that the schema allows: those that are required, and the size of a page. */
function argumentsOf(field: Field): string {
  const needed = NEEDED[field.name] ?? [];
  const given = field.args.filter(
    (argument) => isRequiredArgument(argument) || argument.name === "first" || needed.includes(argument.name),
  );
  return given.length === 0 ? "" : `(${given.map((one) => `${one.name}: ${argumentValue(one)}`).join(", ")})`;
}

function argumentValue(argument: GraphQLArgument): string {
  return argument.name === "first" ? String(PAGE) : exampleValue(argument.type, argument.name);
}

function exampleValue(type: GraphQLInputType, name: string): string {
  if (isNonNullType(type)) return exampleValue(type.ofType, name);
  if (isListType(type)) return `[${exampleValue(type.ofType, name)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? "";
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const needed = NEEDED[type.name] ?? [];
    let given = fields.filter((field) => isRequiredInputField(field) || needed.includes(field.name));
    if (type.isOneOf) given = fields.slice(0, 1);
    return `{ ${given.map((field) => `${field.name}: ${exampleValue(field.type, field.name)}`).join(", ")} }`;
  }
  const text = TEXTS[name];
  if (type.name === "Int") return "1";
  if (type.name === "Boolean") return "true";
  if (type.name === "ID") return JSON.stringify(ID);
  return JSON.stringify(text ?? name);
}

/** The operation that reads one root field. */
export function rootExample(schema: GraphQLSchema, operation: string, field: Field): string {
  return operationOf(operation, call(schema, field, DEPTH));
}

/** An operation that reads every field of a type, some by a way through other types; null where nothing leads to it. */
export function typeExample(schema: GraphQLSchema, type: GraphQLNamedType): string | null {
  const path = pathTo(schema, type);
  if (path === null) return null;
  const [operation, fields] = path;
  const leaf = wholly(type);
  const body = fields.reduceRight<string[]>((inner, field) => {
    const named = getNamedType(field.type);
    return [`${field.name}${argumentsOf(field)} {`, ...indent(narrowed(named, type, fields, field, inner)), "}"];
  }, leaf);
  return operationOf(operation, body);
}

/** The selection as it is, or for one type of an abstract one. */
function narrowed(
  named: GraphQLNamedType,
  goal: GraphQLNamedType,
  fields: readonly Field[],
  field: Field,
  inner: readonly string[],
): readonly string[] {
  const isLast = fields.at(-1) === field;
  return isLast && isAbstractType(named) && named !== goal ? [`... on ${goal.name} {`, ...indent(inner), "}"] : inner;
}

/** The shortest way from an operation to a type. */
function pathTo(schema: GraphQLSchema, goal: GraphQLNamedType): [operation: string, fields: Field[]] | null {
  const roots = [
    ["query", schema.getQueryType()],
    ["mutation", schema.getMutationType()],
    ["subscription", schema.getSubscriptionType()],
  ] as const;
  for (const [operation, root] of roots) {
    const seen = new Set<string>();
    let ways: [GraphQLNamedType, Field[]][] = root == null ? [] : [[root, []]];
    while (ways.length > 0) {
      const next: [GraphQLNamedType, Field[]][] = [];
      for (const [type, way] of ways) {
        for (const field of fieldsOf(type)) {
          const named = getNamedType(field.type);
          if (field.deprecationReason != null || seen.has(named.name)) continue;
          if (leadsTo(schema, named, goal)) return [operation, [...way, field]];
          seen.add(named.name);
          next.push([named, [...way, field]]);
        }
      }
      ways = next;
    }
  }
  return null;
}

function leadsTo(schema: GraphQLSchema, type: GraphQLNamedType, goal: GraphQLNamedType): boolean {
  return type === goal || (isAbstractType(type) && isObjectType(goal) && schema.isSubType(type, goal));
}

function call(schema: GraphQLSchema, field: Field, depth: number): string[] {
  const lines = briefly(schema, getNamedType(field.type), depth, new Set(requiredScopes(field)));
  const head = `${field.name}${argumentsOf(field)}`;
  return lines.length === 0 ? [head] : [`${head} {`, ...indent(lines), "}"];
}

/** A few fields of an object, without further scopes; payloads and pages with the objects in them. */
function briefly(schema: GraphQLSchema, type: GraphQLNamedType, depth: number, scopes: ReadonlySet<string>): string[] {
  if (isLeafType(type) || isInputObjectType(type)) return [];
  const fields = fieldsOf(type).filter(
    (field) =>
      field.deprecationReason == null &&
      !field.args.some(isRequiredArgument) &&
      !COSTLY.has(field.name) &&
      requiredScopes(field).every((scope) => scopes.has(scope)),
  );
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).slice(0, LEAVES);
  const isWrapper = /(?:Payload|Connection|Event)$/.test(type.name) || leaves.length === 0;
  const objects =
    isWrapper && depth > 0
      ? fields.filter((field) => !isLeafType(getNamedType(field.type)) && field.name !== "edges")
      : [];
  const lines = fields.flatMap((field) => {
    if (leaves.includes(field)) return [`${field.name}${argumentsOf(field)}`];
    if (!objects.includes(field)) return [];
    const inner = briefly(schema, getNamedType(field.type), depth - 1, scopes);
    return [`${field.name}${argumentsOf(field)} {`, ...indent(inner), "}"];
  });
  if (!isAbstractType(type)) return lines.length === 0 ? ["__typename"] : lines;
  return ["__typename", ...lines, ...schema.getPossibleTypes(type).map(({ name }) => `... on ${name} { __typename }`)];
}

/** Every field of a type, with a part of each object in it. */
function wholly(type: GraphQLNamedType): string[] {
  return fieldsOf(type).flatMap((field) => {
    const inner = keyOf(getNamedType(field.type));
    const head = `${field.name}${argumentsOf(field)}`;
    return inner.length === 0 ? [head] : [`${head} {`, ...indent(inner), "}"];
  });
}

/** Enough of an object to name it; nothing for a leaf. */
function keyOf(type: GraphQLNamedType): string[] {
  if (isLeafType(type)) return [];
  const free = fieldsOf(type).filter(({ args }) => args.length === 0);
  const leaf = free.find((field) => isLeafType(getNamedType(field.type)) && field.name !== "cursor");
  if (leaf !== undefined) return [leaf.name];
  const [first] = free;
  if (first === undefined) return ["__typename"];
  return [`${first.name} {`, ...indent(keyOf(getNamedType(first.type))), "}"];
}

function fieldsOf(type: GraphQLNamedType): Field[] {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function operationOf(operation: string, lines: readonly string[]): string {
  return [operation === "query" ? "{" : `${operation} {`, ...indent(lines), "}"].join("\n");
}

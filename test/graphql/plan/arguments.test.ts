import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import {
  executeSync,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  parseValue,
  print,
  validate,
  valueFromASTUntyped,
} from "graphql";
import type { Store } from "../../../src/domain/store/store.ts";
import { loadSchema } from "../../../src/graphql/documents/schema.ts";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { createTestDatabase, type TestDatabase } from "../../database.ts";
import { ada, openTestServer, type TestServer } from "../server.ts";

const schema = loadSchema();
const ROOTS = { query: "Query", mutation: "Mutation", subscription: "Subscription" } as const;
type Kind = keyof typeof ROOTS;

interface Request {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A document with one variable in one place, and the same document with the value of the variable written out. */
interface Case extends Request {
  readonly name: string;
  readonly kind: Kind;
  /** null where no literal stands for it. */
  readonly literal: string | null;
}

function sample(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sample(type.ofType);
  if (isListType(type)) return `[${sample(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? "";
  if (isInputObjectType(type))
    return type.isOneOf ? oneOf(Object.values(type.getFields())) : required(type.getFields());
  return { Int: "1", Boolean: "true", ID: '"an-id"' }[type.name] ?? '"2026-01-31T12:00:00Z"';
}

function oneOf([first]: readonly GraphQLInputField[]): string {
  return first === undefined ? "{}" : `{${first.name}: ${sample(first.type)}}`;
}

function required(fields: Readonly<Record<string, GraphQLInputField>>): string {
  const given = Object.values(fields).filter(({ type, default: value }) => isNonNullType(type) && value === undefined);
  return `{${given.map(({ name, type }) => `${name}: ${sample(type)}`).join(", ")}}`;
}

type Place = Pick<GraphQLArgument | GraphQLInputField, "name" | "type" | "default">;

/** Every place of an input value within it, each with the text around it: null there stands for leaving it out. */
function places(
  of: readonly Place[],
  write: (inner: string) => string,
  path: string,
  isOneOf = false,
): { path: string; place: Place; around: (text: string | null) => string }[] {
  return of.flatMap((place) => {
    const others = of.filter(
      (other) => other !== place && !isOneOf && isNonNullType(other.type) && other.default === undefined,
    );
    const around = (text: string | null) =>
      write(
        [
          ...others.map(({ name, type }) => `${name}: ${sample(type)}`),
          ...(text === null ? [] : [`${place.name}: ${text}`]),
        ].join(", "),
      );
    const name = `${path}${place.name}`;
    const type = isNonNullType(place.type) ? place.type.ofType : place.type;
    const inner = isInputObjectType(type)
      ? places(Object.values(type.getFields()), (fields) => around(`{${fields}}`), `${name}.`, type.isOneOf)
      : [];
    const items =
      isListType(type) && isNonNullType(type.ofType)
        ? [
            {
              path: `${name}.0`,
              place: { name: "0", type: type.ofType, default: undefined },
              around: (text: string | null) => around(text === null ? "[]" : `[${text}]`),
            },
          ]
        : [];
    return [{ path: name, place, around }, ...inner, ...items];
  });
}

function selection(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return "";
  if (isObjectType(type) && field.name === "postEvents") return "{ type }";
  return "{ __typename }";
}

/** Fields with arguments, each with the text around it. */
function fields(): { kind: Kind; field: GraphQLField<unknown, unknown>; around: (field: string) => string }[] {
  const roots = (Object.keys(ROOTS) as Kind[]).flatMap((kind) => {
    const type = schema.getType(ROOTS[kind]);
    assert.ok(isObjectType(type));
    return Object.values(type.getFields()).map((field) => ({ kind, field, around: (text: string) => `{ ${text} }` }));
  });
  const user = schema.getType("User");
  const introspected = schema.getType("__Type");
  assert.ok(isObjectType(user) && isObjectType(introspected));
  const within = (fields: readonly GraphQLField<unknown, unknown>[], around: (text: string) => string) =>
    fields.map((field) => ({ kind: "query" as const, field, around }));
  return [
    ...roots,
    ...within(Object.values(user.getFields()), (text) => `{ viewer { ${text} } }`),
    ...within(Object.values(introspected.getFields()), (text) => `{ __type(name: "Post") { ${text} } }`),
  ].filter(({ field }) => field.args.length > 0);
}

function cases(): Case[] {
  return fields().flatMap(({ kind, field, around: outer }) => {
    const write = (args: string) => outer(`${field.name}${args === "" ? "" : `(${args})`} ${selection(field)}`);
    return places(field.args, write, "").flatMap(({ path, place, around }) => {
      const value = sample(place.type);
      const nullable = `${place.type}`.replace(/!$/, "");
      const forms: [definition: string, variables: object, text: string | null][] = [
        [`${nullable} = ${value}`, { v: null }, "null"],
        [`${nullable} = ${value}`, {}, value],
        [nullable, { v: null }, "null"],
        [nullable, {}, null],
        [`${nullable} = null`, {}, "null"],
        [`${place.type}`, { v: valueFromASTUntyped(parseValue(value)) }, value],
      ];
      return forms.flatMap(([definition, variables, text]): Case[] => {
        const query = `${kind} ($v: ${definition}) ${around("$v")}`;
        if (validate(schema, parse(query)).length > 0) return [];
        const literal = `${kind} ${around(text)}`;
        const isValid = validate(schema, parse(literal)).length === 0;
        const name = `${field.name} ${path} $v: ${definition} ${JSON.stringify(variables)}`;
        return [{ name, kind, query, variables: { ...variables }, literal: isValid ? literal : null }];
      });
    });
  });
}

/** How graphql-js refuses an argument; null where it does not. */
function refusal({ query, variables: variableValues }: Case): string | null {
  const { errors = [] } = executeSync({ schema, document: parse(query), variableValues, rootValue: { viewer: {} } });
  return errors.find(({ message }) => /has invalid value|was not provided/.test(message))?.message ?? null;
}

describe("arguments", () => {
  const all = cases();
  let folder: string;
  let database: TestDatabase;
  let store: Store;
  let open: () => TestServer;
  let server: TestServer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "arguments-"));
    database = await createTestDatabase(folder);
    store = await openStore(database.url);
    const { id } = await store.users.create(aPerson({ role: "admin" }));
    open = () => openTestServer({ store, viewer: { ...ada, userId: id, role: "admin" } });
    server = open();
  });
  after(async () => {
    await store.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function ask(to: TestServer, { query, variables }: Request) {
    const { json, status } = await to.send({ body: { query, variables }, streams: true });
    const errors: { message: string; extensions: { code: string; field?: string } }[] = json?.errors ?? [];
    return { status, json, errors, codes: errors.map(({ extensions }) => extensions.code) };
  }

  test("I15 null, absent and default variables in every argument have the answer of the specification", async () => {
    assert.ok(all.length > 300, `${all.length} documents`);
    assert.ok(all.some((one) => one.kind === "subscription"));
    let refused = 0;
    for (const one of all) {
      const answer = await ask(server, one);
      assert.ok(!answer.codes.includes("INTERNAL"), `${one.name}: ${print(parse(one.query))}`);
      if (refusal(one) !== null) {
        refused++;
        const [, path = ""] = one.name.split(" ");
        assert.deepEqual(answer.codes, ["BAD_USER_INPUT"], one.name);
        // The field is the place itself, or the argument around it.
        const { field = "" } = answer.errors[0]?.extensions ?? {};
        assert.ok(field !== "" && (path === field || path.startsWith(`${field}.`)), `${one.name}: ${field}`);
      } else if (one.literal !== null && one.kind !== "subscription") {
        const written = await ask(server, { query: one.literal, variables: {} });
        if (one.kind === "query") {
          assert.deepEqual([answer.status, answer.json?.data], [written.status, written.json?.data], one.name);
        }
        assert.deepEqual(fieldsOf(answer), fieldsOf(written), one.name);
      }
    }
    assert.ok(refused > 20, `${refused} refused documents`);
  });

  function fieldsOf({ errors }: Awaited<ReturnType<typeof ask>>): unknown {
    return errors.map(({ extensions: { code, field } }) => [code, field]);
  }

  test("I16 a request has one answer, whatever was asked before", async () => {
    const queries = all.filter(({ kind }) => kind === "query");
    const byQuery = Map.groupBy(queries, ({ query }) => query);
    const several = [...byQuery.values()].filter((of) => of.length > 1);
    assert.ok(several.length > 20, `${several.length} documents with several requests`);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(several, { minLength: 5, maxLength: 10 }).chain((chosen) => {
          const requests = chosen.flat();
          return fc.shuffledSubarray([...requests, ...requests], { minLength: requests.length * 2 });
        }),
        async (requests) => {
          const shared = open();
          for (const request of requests) {
            const [first, alone] = [await ask(shared, request), await ask(open(), request)];
            assert.deepEqual([first.status, first.json], [alone.status, alone.json], request.name);
          }
        },
      ),
      { numRuns: 10 },
    );
  });
});

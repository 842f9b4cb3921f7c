import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findSchemaChanges,
  type GraphQLField,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  validateSchema,
} from "graphql";
import { isScope } from "../../src/domain/viewer.ts";
import { loadSchema, requiredScopes } from "../../src/graphql/schema.ts";
import { ADA, openTestServer } from "./server.ts";

const contract = buildSchema(readFileSync(new URL("contract.graphql", import.meta.url), "utf8"));

describe("the contract", () => {
  test("the served schema only adds to it", () => {
    // graphql-js counts these as dangerous; contract.graphql names them as what may be added.
    const additions: readonly string[] = [
      DangerousChangeType.OPTIONAL_ARG_ADDED,
      DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
    ];
    const kinds: readonly string[] = [...Object.values(BreakingChangeType), ...Object.values(DangerousChangeType)];
    const grave = kinds.filter((kind) => !additions.includes(kind));
    // An interface that is new itself cannot stand in a document that was valid before: nothing can mean something else now.
    const isNewInterface = ({ type, description }: { type: string; description: string }) =>
      type === DangerousChangeType.IMPLEMENTED_INTERFACE_ADDED &&
      contract.getType(/^(\w+) added/.exec(description)?.[1] ?? "") === undefined;
    const changes = findSchemaChanges(contract, loadSchema()).filter((change) => !isNewInterface(change));
    assert.deepEqual(
      changes.filter(({ type }) => grave.includes(type)),
      [],
    );
  });

  test("a field that the contract declares and we would drop is found", () => {
    const poorer = buildSchema("type Query { user(id: ID!): User } type User { id: ID! }");
    assert.notEqual(findSchemaChanges(contract, poorer).length, 0);
  });

  test("its own examples are answered", async () => {
    const server = openTestServer();
    const read = await server.query("query ($id: ID!) { user(id: $id) { id name email posts { title createdAt } } }", {
      id: ADA,
    });
    assert.equal(read.status, 200);
    assert.deepEqual(Object.keys(read.json.data.user), ["id", "name", "email", "posts"]);
    const created = await server.query(
      "mutation ($title: String!, $body: String!) { createPost(input: { title: $title, body: $body }) { id title createdAt } }",
      { title: "Hello", body: "World" },
    );
    assert.equal(created.json.data.createPost.title, "Hello");
  });
});

/** A value for each required argument of the schema, where a field needs another one by the names of both. */
const EXAMPLES: Readonly<Record<string, string>> = {
  id: `"${ADA}"`,
  "updatePost.id": '"01990000-0000-7000-8000-000000000000"',
  "publishPost.id": '"01990000-0000-7000-8000-000000000000"',
  "archivePost.id": '"01990000-0000-7000-8000-000000000000"',
  "unpublishPost.id": '"01990000-0000-7000-8000-000000000001"',
  "deletePost.id": '"01990000-0000-7000-8000-000000000002"',
  ids: `["${ADA}"]`,
  input: '{ title: "Hello", body: "World" }',
  "updateProfile.input": '{ name: "Ada" }',
};
const EMPTY_NAME = 'updateProfile(input: { name: "" })';

describe("the schema", () => {
  const schema = loadSchema();

  test("is valid, which a start takes for granted", () => {
    const text = readFileSync(new URL("../../schema.graphql", import.meta.url), "utf8");
    assert.deepEqual(validateSchema(buildSchema(text)), []);
  });

  test("asks only for scopes that exist", () => {
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        for (const scope of requiredScopes(field)) assert.ok(isScope(scope), `${type.name}.${field.name}: ${scope}`);
      }
    }
  });

  test("has no field that the planner does not know", async () => {
    const server = openTestServer();
    // What is for administrators alone is planned as it is selected: see administration.test.ts.
    const isPlanned = (field: GraphQLField<unknown, unknown>) => !requiredScopes(field).includes("admin");
    const reachable = new Set(["Query", "Mutation", "Subscription"]);
    for (const name of reachable) {
      const type = schema.getType(name);
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const field of Object.values(type.getFields()).filter(isPlanned))
        reachable.add(getNamedType(field.type).name);
    }
    const objects = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && reachable.has(type.name));
    const planned = [
      ["Query", "{", "}"],
      ["User", `{ user(id: "${ADA}") {`, "} }"],
      ["Post", "{ posts {", "} }"],
      ["PostConnection", "{ postsConnection {", "} }"],
      ["PostEdge", "{ postsConnection { edges {", "} } }"],
      ["UserConnection", "{ usersConnection {", "} }"],
      ["UserEdge", "{ usersConnection { edges {", "} } }"],
      ["PageInfo", "{ usersConnection { pageInfo {", "} } }"],
      ["Mutation", "mutation {", "}"],
      ["PostPayload", `mutation { updatePost(id: ${EXAMPLES["updatePost.id"]}, input: { title: "A" }) {`, "} }"],
      ["ProfilePayload", "mutation { updateProfile(input: {}) {", "} }"],
      ["UserError", `mutation { ${EMPTY_NAME} { errors {`, "} } }"],
      ["Subscription", "subscription {", "}"],
      ["PostEvent", "subscription { postEvents {", "} }"],
      ["DeletedPostPayload", "mutation { deletePost(id: $id) {", "} }"],
    ] as const;
    assert.deepEqual(planned.map(([name]) => name).toSorted(), objects.map(({ name }) => name).toSorted());
    for (const [name, opening, close] of planned) {
      const type = schema.getType(name);
      assert.ok(isObjectType(type));
      for (const field of Object.values(type.getFields()).filter(isPlanned)) {
        const inner = isCompositeType(getNamedType(field.type)) ? "{ __typename }" : "";
        const required = field.args.filter(isRequiredArgument).map(({ name: argument }) => {
          const example = EXAMPLES[`${field.name}.${argument}`] ?? EXAMPLES[argument];
          return `${argument}: ${example}`;
        });
        const given = required.length === 0 ? "" : `(${required.join(", ")})`;
        const open = opening.replace("$id", `"${server.store.articles[0]?.id}"`);
        const query = `${open} ${field.name}${given} ${inner} ${close}`;
        const answer = await server.send({ body: { query }, streams: true });
        assert.equal(answer.json?.errors, undefined, `${name}.${field.name}: ${answer.body}`);
      }
    }
  });
});

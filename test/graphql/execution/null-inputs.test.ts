/** Clients that are generated from the schema send null for each optional field that their program leaves out. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type GraphQLInputObjectType, getNamedType, isInputObjectType, isNonNullType } from "graphql";
import { loadSchema } from "../../../src/graphql/documents/schema.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openTestStore, type TestStore } from "../../database.ts";
import { ada, openTestServer, type TestServer } from "../server.ts";

/** Required fields of each input that makes something, and what is compared. */
const MADE: Readonly<Record<string, readonly [required: (n: number) => object, selection: string]>> = {
  createPost: [() => ({ title: "T", body: "Hi" }), "title status excerpt publishAt publishAtZone"],
  createWebhook: [
    (n) => ({ url: `https://receiver.example/${n}` }),
    "webhook { events includesUnpublished } errors { field message }",
  ],
  createAccount: [
    (n) => ({ name: "N", email: `n${n}@example.com` }),
    "account { name role hasPassword } errors { field message }",
  ],
  createClient: [
    () => ({ name: "C", redirectUris: ["https://client.example/"] }),
    "client { type redirectUris grantTypes scopes } errors { field message }",
  ],
  createOwnClient: [
    () => ({ name: "C", redirectUris: ["https://client.example/"] }),
    "client { type redirectUris grantTypes scopes } errors { field message }",
  ],
};

const inputs = new Map<string, GraphQLInputObjectType>();
for (const { name, args } of Object.values(loadSchema().getMutationType()?.getFields() ?? {})) {
  const type = getNamedType(args.find((one) => one.name === "input")?.type);
  if (!isInputObjectType(type) || !/^(?:Create|Invite)/.test(type.name)) continue;
  if (optionalOf(type).length > 0) inputs.set(name, type);
}

function optionalOf(type: GraphQLInputObjectType): string[] {
  const optional = Object.values(type.getFields()).filter((field) => !isNonNullType(field.type));
  return optional.map(({ name }) => name);
}

describe("an input that makes something takes null for a field that was left out", () => {
  let database: TestStore;
  let server: TestServer;
  before(async () => {
    database = await openTestStore();
    const { id } = await database.store.users.create(aPerson({ role: "admin" }));
    server = openTestServer({ store: database.store, viewer: { ...ada, userId: id, role: "admin" } });
  });
  after(() => database.close());

  test("every such input of the schema is here", () => {
    assert.deepEqual([...inputs.keys()].toSorted(), Object.keys(MADE).toSorted());
  });

  for (const [mutation, type] of inputs)
    test(mutation, async () => {
      const [required, selection] = MADE[mutation] ?? assert.fail(mutation);
      const query = `mutation ($input: ${type.name}!) { ${mutation}(input: $input) { ${selection} } }`;
      const make = async (input: object) => {
        const { json } = await server.query(query, { input });
        assert.equal(json.errors, undefined, JSON.stringify(json.errors));
        return json.data[mutation];
      };
      const nulls = Object.fromEntries(optionalOf(type).map((name) => [name, null]));
      const leftOut = await make(required(1));
      assert.deepEqual(leftOut.errors ?? [], []);
      assert.deepEqual(await make({ ...nulls, ...required(2) }), leftOut);
    });
});

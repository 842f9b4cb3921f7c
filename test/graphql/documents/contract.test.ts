import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import {
  buildSchema,
  type GraphQLField,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  validateSchema,
} from "graphql";
// @ts-expect-error: plain JavaScript
import { findGraveChanges } from "../../../bin/schema-check.js";
import { isScope } from "../../../src/domain/scopes.ts";
import { listDeprecations, readDates } from "../../../src/graphql/documents/retirement.ts";
import { loadSchema, requiredScopes, schemaText } from "../../../src/graphql/documents/schema.ts";
import { ADA, openTestServer } from "../server.ts";

const contract = readFileSync(new URL("../contract.graphql", import.meta.url), "utf8");

describe("the contract", () => {
  test("the served schema only adds to it", () => {
    assert.deepEqual(findGraveChanges(contract, schemaText()), []);
  });

  test("a field that the contract declares and we would drop is found", () => {
    const poorer = "type Query { user(id: ID!): User } type User { id: ID! }";
    assert.ok(findGraveChanges(contract, poorer).includes("Field Query.posts was removed."));
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
  "restoreDeletedPost.id": '"01990000-0000-7000-8000-000000000002"',
  "announceEditing.id": '"01990000-0000-7000-8000-000000000000"',
  "workingCopyEvents.post": '"01990000-0000-7000-8000-000000000000"',
  ids: `["${ADA}"]`,
  input: '{ title: "Hello", body: "World" }',
  "updateProfile.input": '{ name: "Ada" }',
  "saveWorkingCopy.input": '{ title: "Hello" }',
  ...Object.fromEntries(
    [
      "saveWorkingCopy",
      "applyWorkingCopy",
      "discardWorkingCopy",
      "cancelPlannedUpdate",
      "restoreRevision",
      "nameRevision",
      "createPreviewLink",
    ].map((name) => [`${name}.id`, '"01990000-0000-7000-8000-000000000000"']),
  ),
  ...{ workingVersion: "0", baseVersion: "1", revision: `"${ADA}"` },
  // Other examples have changed this post before.
  expectedVersion: "3",
  ...{
    token: '"unknown"',
    slug: '"a-slug"',
    markdown: '"*text*"',
    expiresAt: `"${new Date(Date.now() + 60_000).toISOString()}"`,
  },
};
const DISCARDED = 'discardWorkingCopy(id: "01990000-0000-7000-8000-000000000000", workingVersion: 0)';
const EMPTY_NAME = 'updateProfile(input: { name: "" })';

describe("the schema", () => {
  const schema = loadSchema();

  test("is valid, which a start takes for granted", () => {
    const text = readFileSync(new URL("../../../schema.graphql", import.meta.url), "utf8");
    assert.deepEqual(validateSchema(buildSchema(text)), []);
  });

  test("says from when until when of everything that it deprecates", () => {
    for (const reason of listDeprecations(schema)) assert.ok(readDates(reason));
    assert.throws(() => readDates("Use another field."), /from when until when/);
    assert.throws(() => readDates("Since 2027-11-28, until 2026-11-28."), /from when until when/);
  });

  test("answers to documents that use what is deprecated carry Deprecation and Sunset, others do not", async () => {
    const retiring = loadSchema(
      schemaText()
        .replace(
          /^ {2}title: String!(?= @|$)/m,
          '$& @deprecated(reason: "Use slug. Since 2026-11-28, until 2027-11-28.")',
        )
        .replace(/^ {2}wordCount: Int!/m, '$& @deprecated(reason: "Count. Since 2026-12-24, until 2027-06-01.")'),
    );
    assert.equal(listDeprecations(retiring).length, listDeprecations(schema).length + 2);
    const server = openTestServer({ schema: retiring });
    const headersOf = async (query: string) => {
      const { status, headers } = await server.query(query);
      return [status, headers.deprecation, headers.sunset];
    };
    assert.deepEqual(await headersOf("{ posts { id } }"), [200, undefined, undefined]);
    assert.deepEqual(await headersOf("{ posts { ...F } } fragment F on Post { title }"), [
      200,
      `@${Date.UTC(2026, 10, 28) / 1_000}`,
      "Sun, 28 Nov 2027 00:00:00 GMT",
    ]);
    assert.deepEqual(await headersOf("{ posts { title wordCount } }"), [
      200,
      `@${Date.UTC(2026, 10, 28) / 1_000}`,
      "Tue, 01 Jun 2027 00:00:00 GMT",
    ]);
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
    // What is for administrators, and for owners of clients, is planned as it is selected: see administration.test.ts.
    const isPlanned = (field: GraphQLField<unknown, unknown>) =>
      !requiredScopes(field).some((scope) => scope === "admin" || scope === "clients:own");
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
      ["Post", "{ posts(first: 2) {", "} }"],
      ["PostConnection", "{ postsConnection {", "} }"],
      ["PostEdge", "{ postsConnection { edges {", "} } }"],
      ["UserConnection", "{ usersConnection {", "} }"],
      ["UserEdge", "{ usersConnection { edges {", "} } }"],
      ["RateLimit", "{ rateLimit {", "} }"],
      ["ServerInfo", "{ serverInfo {", "} }"],
      ["RenderedMarkdown", '{ renderMarkdown(markdown: "text", title: "A title") {', "} }"],
      ["PostPreview", '{ preview(token: "unknown") {', "} }"],
      ["PreviewLink", "{ posts(first: 2) { previewLinks {", "} } }"],
      ["PreviewLinkPayload", `mutation { revokePreviewLink(id: "${ADA}") {`, "} }"],
      ["WorkingCopy", "{ posts(first: 2) { workingCopy {", "} } }"],
      ["PlannedUpdate", "{ posts(first: 2) { plannedUpdate {", "} } }"],
      ["WorkingCopyPayload", `mutation { ${DISCARDED} {`, "} }"],
      ["PostRevisionConnection", "{ posts(first: 2) { revisions {", "} } }"],
      ["PostRevisionEdge", "{ posts(first: 2) { revisions { edges {", "} } } }"],
      ["PostRevision", "{ posts(first: 2) { revisions { nodes {", "} } } }"],
      ["PageInfo", "{ usersConnection { pageInfo {", "} } }"],
      ["Mutation", "mutation {", "}"],
      ["PostPayload", `mutation { updatePost(id: ${EXAMPLES["updatePost.id"]}, input: { title: "A" }) {`, "} }"],
      ["ProfilePayload", "mutation { updateProfile(input: {}) {", "} }"],
      ["UserError", `mutation { ${EMPTY_NAME} { errors {`, "} } }"],
      ["Subscription", "subscription {", "}"],
      ["PostEvent", "subscription { postEvents {", "} }"],
      ["WorkingCopyEvent", `subscription { workingCopyEvents(post: ${EXAMPLES["workingCopyEvents.post"]}) {`, "} }"],
      [
        "PersonEditing",
        `subscription { workingCopyEvents(post: ${EXAMPLES["workingCopyEvents.post"]}) { editing {`,
        "} } }",
      ],
      ["DeletedPost", "{ deletedPosts { nodes {", "} } }"],
      ["DeletedPostConnection", "{ deletedPosts {", "} }"],
      ["DeletedPostEdge", "{ deletedPosts { edges {", "} } }"],
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

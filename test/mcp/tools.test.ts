import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import type { Viewer } from "../../src/domain/viewer.ts";
import { CODES, type JsonObject, ProtocolError, type Tool } from "../../src/mcp/protocol/service.ts";
import { callBy, errorIn, LEVELS, openTestContent, type TestContent, withScopes } from "./content.ts";

/** `UPDATE_SNAPSHOT=1 node --test test/mcp/tools.test.ts` writes it. A change of the list needs a decision. */
const SNAPSHOT = join(import.meta.dirname, "tools.json");

const READING = ["search", "fetch", "list_posts", "get_post", "list_people", "get_person", "whoami"];
const DRAFTING = ["create_draft", "update_post"];
const PUBLISHING = ["publish_post", "unpublish_post", "archive_post", "delete_post"];

describe("the list of tools", () => {
  let content: TestContent;
  let ada: Viewer;
  before(async () => {
    content = await openTestContent();
    ada = await content.person();
  });
  after(() => content.close());

  const list = (viewer: Viewer, of = content) => of.service.listTools(callBy(viewer)) as readonly Tool[];
  const names = (viewer: Viewer, of = content) => list(viewer, of).map(({ name }) => name);

  test("A30 the list is the snapshot in the repository, and at most 12 kB", () => {
    const tools = list(ada);
    if (process.env.UPDATE_SNAPSHOT !== undefined) writeFileSync(SNAPSHOT, `${JSON.stringify(tools, null, 2)}\n`);
    assert.deepEqual(tools, JSON.parse(readFileSync(SNAPSHOT, "utf8")));
    assert.ok(Buffer.byteLength(JSON.stringify({ tools })) < 11_800, "the rest is for the message around it");
  });

  test("A13 each grant sees what it allows, in one order, as one list", () => {
    assert.deepEqual(names(ada), [...READING, ...DRAFTING, ...PUBLISHING]);
    assert.deepEqual(names(withScopes(ada, LEVELS.draft)), [...READING, ...DRAFTING]);
    assert.deepEqual(names(withScopes(ada, LEVELS.read)), READING);
    assert.deepEqual(names(withScopes(ada, ["posts:read"])), ["search", "fetch", "list_posts", "get_post", "whoami"]);
    assert.deepEqual(names(withScopes(ada, [])), ["whoami"]);
    assert.equal(list(ada), list({ ...ada }), "the transport keeps its text");
  });

  test("A12 scopes that do not work at /mcp show no further tool", () => {
    const administrator = withScopes({ ...ada, role: "admin" }, [...LEVELS.read, "admin", "users:email", "scim"]);
    assert.deepEqual(names(administrator), READING);
  });

  test("A01 MCP=read has no writing tool, and does not know one", async () => {
    const reading = content.another({ settings: { MCP: "read" } });
    assert.deepEqual(names(ada, reading), READING);
    await assert.rejects(reading.call(ada, "create_draft", {}), isProtocolError(CODES.invalidParams));
  });

  test("A13 an unknown tool is an error of the protocol", async () => {
    for (const name of ["nothing", "toString", "__proto__", "", "x".repeat(10_000)])
      await assert.rejects(content.call(ada, name), isProtocolError(CODES.invalidParams));
  });

  test("A13 a known tool without its scope names all scopes, those held too, before it looks at anything else", async () => {
    const rows = [
      ["create_draft", LEVELS.read, [...LEVELS.read, "posts:draft"]],
      ["update_post", LEVELS.read, [...LEVELS.read, "posts:draft"]],
      ["delete_post", LEVELS.draft, [...LEVELS.draft, "posts:write"]],
      ["list_people", ["posts:read"], ["posts:read", "users:read"]],
      ["search", [], ["posts:read"]],
    ] as const;
    for (const [tool, held, scopes] of rows)
      await assert.rejects(content.call(withScopes(ada, held), tool, { wrong: 1 }), isStepUp(scopes), tool);
  });

  test("A13 what posts:draft does not reach names posts:write", async () => {
    const drafter = withScopes(ada, LEVELS.draft);
    const id = await content.post(ada);
    const change = content.call(drafter, "update_post", { id, expectedVersion: 1, title: "New" });
    await assert.rejects(change, isStepUp([...LEVELS.draft, "posts:write"]));
  });

  test("A32 schemas are plain objects with at most 8 parameters, each described", () => {
    for (const { name, title, description, inputSchema, outputSchema, annotations } of list(ada)) {
      assert.match(name, /^[a-z_]{1,64}$/);
      assert.ok(title !== "" && description !== "", name);
      for (const schema of [inputSchema, outputSchema as JsonObject]) {
        assert.equal(schema.type, "object", name);
        for (const key of ["oneOf", "anyOf", "allOf", "$ref", "$defs"]) assert.equal(schema[key], undefined, name);
      }
      assert.equal(inputSchema.additionalProperties, false, name);
      const properties = Object.entries(inputSchema.properties as Record<string, { description: string }>);
      assert.ok(properties.length <= 8, name);
      for (const [argument, schema] of properties) assert.ok(schema.description !== "", `${name} ${argument}`);
      assert.deepEqual(
        Object.keys(annotations ?? {}).sort(),
        ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"],
        name,
      );
    }
  });

  test("A41 no tool, resource or prompt takes an address to call", () => {
    const { resourceTemplates, prompts } = content.service;
    const parameters = list(ada).flatMap(({ inputSchema }) => Object.keys(inputSchema.properties as JsonObject));
    const known = ["query", "first", "id", "author", "status", "cursor", "from", "length"];
    const written = ["title", "body", "key", "expectedVersion"];
    assert.deepEqual([...new Set(parameters)].sort(), [...known, ...written].sort());
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ["post://{id}", "user://{id}"],
    );
    const prompted = prompts.flatMap(({ arguments: args }) => args.map(({ name }) => name));
    assert.deepEqual(prompted, ["id", "topic", "notes", "id"]);
  });

  test("A31 wrong arguments are told as sentences that a model can act on", async () => {
    const id = await content.post(ada);
    const rows: [tool: string, args: JsonObject, message: string][] = [
      ["get_post", { id, lenght: 3 }, 'get_post has no argument "lenght". It takes id, from, length.'],
      ["whoami", { me: true }, 'whoami has no argument "me". It takes none.'],
      ["get_post", {}, "get_post needs the argument id."],
      ["get_post", { id: 7 }, "id must be a string."],
      ["get_post", { id: "" }, "id must not be empty."],
      ["get_post", { id: "x".repeat(65) }, "id must have at most 64 characters."],
      ["get_post", { id: "\ud800" }, "id must be valid Unicode text without U+0000."],
      ["get_post", { id, from: -1 }, "from must be at least 0."],
      ["get_post", { id, from: 1.5 }, "from must be a whole number."],
      ["get_post", { id, from: "0" }, "from must be a whole number."],
      ["get_post", { id, length: 20_001 }, "length must be at most 20000."],
      ["list_posts", { status: "draft" }, "status must be one of DRAFT, PUBLISHED, ARCHIVED."],
      ["list_posts", { cursor: null }, "cursor must be a string."],
      ["create_draft", { title: "", body: "", key: "k" }, "title must not be empty."],
      ["create_draft", { title: "t", body: "", key: "a b" }, "key must match the pattern ^[!-~]+$."],
      ["update_post", { id, expectedVersion: 1 }, "update_post needs a title, a body or both."],
      [
        "list_posts",
        JSON.parse('{"__proto__":1}'),
        'list_posts has no argument "__proto__". It takes author, status, cursor, first.',
      ],
    ];
    for (const [tool, args, message] of rows) {
      const { code, message: told, next } = errorIn(await content.call(ada, tool, args));
      assert.deepEqual([code, told], ["BAD_USER_INPUT", message]);
      assert.equal(next, "Correct the arguments, and call the tool again.");
    }
  });
});

function isProtocolError(code: number) {
  return (error: unknown) => error instanceof ProtocolError && error.code === code && error.message.length < 200;
}

function isStepUp(scopes: readonly string[]) {
  return (error: unknown) => {
    assert.ok(error instanceof AppError && error.code === "FORBIDDEN");
    assert.deepEqual(error.details.scopes, scopes);
    return true;
  };
}

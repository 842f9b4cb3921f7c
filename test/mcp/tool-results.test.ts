import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import fc from "fast-check";
import type { Viewer } from "../../src/domain/viewer.ts";
import type { InputRequired, JsonObject, Tool, ToolResult } from "../../src/mcp/protocol/service.ts";
import { showHidden } from "../../src/mcp/tools/frame.ts";
import { openResults } from "../../src/mcp/tools/results.ts";
import { AUTHORIZATION, callBy, errorIn, openTestContent, structured, type TestContent, textOf } from "./content.ts";

const written = fc
  .oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 100 }),
    fc
      .array(fc.constantFrom("<<<content ", "\n", "\\", '"', "\u200b\u200b", "\u{e0041}", "\u{1f600}", "a"), {
        minLength: 1,
        maxLength: 60,
      })
      .map((parts) => parts.join("")),
  )
  .filter((text) => text.isWellFormed() && !text.includes("\0"));

describe("results of tools", () => {
  let content: TestContent;
  let ada: Viewer;
  let tools: ReadonlyMap<string, Tool>;
  before(async () => {
    content = await openTestContent();
    ada = await content.person();
    tools = new Map((await content.service.listTools(callBy(ada))).map((tool) => [tool.name, tool]));
  });
  after(() => content.close());

  const ajv = new AjvJsonSchemaValidator();
  function assertMatches(name: string, result: ToolResult | InputRequired): void {
    const schema = tools.get(name)?.outputSchema as Parameters<typeof ajv.getValidator>[0];
    const { valid, errorMessage } = ajv.getValidator(schema)(structured(result));
    assert.ok(valid, `${name}: ${errorMessage}`);
  }

  /** The JSON and the text inside of a frame, or the JSON of a result without one. */
  function readText(result: ToolResult | InputRequired): { json: JsonObject; rest: string | null } {
    const text = textOf(result);
    const inside = /^.*\n<<<content ([0-9a-f]{32})\n([\s\S]*)\n>>>content \1$/.exec(text)?.[2];
    if (inside === undefined) return { json: JSON.parse(text), rest: null };
    const end = inside.indexOf("\n\n");
    return { json: JSON.parse(end < 0 ? inside : inside.slice(0, end)), rest: end < 0 ? null : inside.slice(end + 2) };
  }

  test("A32 A40 every result matches its schema, is exact as data, and says the same as text", async () => {
    await fc.assert(
      fc.asyncProperty(written, written, async (title, body) => {
        const key = `p${Math.random()}`;
        const made = await content.call(ada, "create_draft", { title, body, key });
        const { id } = structured(made);
        assertMatches("create_draft", made);
        assert.deepEqual(readText(made).json, structured(made));
        const changed = await content.call(ada, "update_post", { id, expectedVersion: 1, body: `${body}.` });
        assertMatches("update_post", changed);
        for (const [name, args] of [
          ["get_post", { id }],
          ["fetch", { id }],
          ["list_posts", { author: "me", status: "DRAFT", first: 2 }],
          ["list_people", {}],
          ["get_person", { id: ada.userId as string }],
          ["whoami", {}],
          ["publish_post", { id }],
          ["archive_post", { id }],
          ["unpublish_post", { id }],
          ["delete_post", { id }],
        ] as const) {
          const result = await content.call(ada, name, args);
          assertMatches(name, result);
          const { json, rest } = readText(result);
          const exact = structured(result);
          if (name === "get_post" || name === "fetch") {
            assert.deepEqual([exact.title, exact.text], [title, `${body}.`]);
            assert.equal(rest, showHidden(exact.text));
          }
          if (rest !== null) delete exact.text;
          assert.deepEqual(json, exact, name);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("A30 search and fetch answer in the shape that ChatGPT wants", async () => {
    const id = await content.post(ada, { title: "About tables", body: 'One **table** & <two> "tables".' });
    const found = await content.call(ada, "search", { query: "table*" });
    assertMatches("search", found);
    const url = `post://${id}`;
    assert.deepEqual(structured(found), {
      results: [{ id, title: "About tables", url, text: 'One **table** & <two> "tables".' }],
    });
    const { metadata, ...document } = structured(await content.call(ada, "fetch", { id }));
    assert.deepEqual(document, { id, title: "About tables", url, text: 'One **table** & <two> "tables".' });
    assert.deepEqual([metadata.status, metadata.version, metadata.author.id], ["PUBLISHED", 1, ada.userId]);
  });

  test("A30 what posts:read alone shows has no names", async () => {
    const id = await content.post(ada);
    const reader = { ...ada, scopes: new Set(["posts:read"]) };
    for (const [tool, args] of [
      ["get_post", { id }],
      ["list_posts", { author: ada.userId as string }],
    ] as const) {
      const result = await content.call(reader, tool, args);
      assertMatches(tool, result);
      assert.doesNotMatch(textOf(result), /author|Person/);
    }
  });

  test("A33 a text of any length is read in pieces, each within the limit, that make up the whole", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("plain words ", "\u{1f600}", "日本語", "\u200b\u200b", '"\\"', "\n"), {
          minLength: 1,
          maxLength: 60,
        }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.constantFrom(8_192, 65_536),
        async (parts, length, limit) => {
          const body = parts.join("").repeat(80);
          const id = await content.post(ada, { title: "\u{e0041}".repeat(100), body, status: "DRAFT" });
          const limited = content.another({ settings: { MCP_RESULT_MAX: limit } });
          let whole = "";
          for (let from: number | undefined = 0; from !== undefined; ) {
            const result = await limited.call(ada, "get_post", { id, from, length: Math.max(length, 200) });
            assert.ok(Buffer.byteLength(JSON.stringify(result)) <= limit);
            const piece = structured(result);
            assert.deepEqual([piece.from, piece.length], [from, body.length]);
            assert.ok(piece.text.isWellFormed());
            whole += piece.text;
            from = piece.nextFrom;
          }
          assert.equal(whole, body);
          const fetched = await limited.call(ada, "fetch", { id });
          assert.ok(Buffer.byteLength(JSON.stringify(fetched)) <= limit);
          assert.ok(body.startsWith(structured(fetched).text));
          assert.equal(structured(fetched).metadata.nextFrom ?? body.length, structured(fetched).text.length);
        },
      ),
      { numRuns: 15 },
    );
  });

  test("A33 a megabyte of hidden characters costs no more work than a few results", () => {
    const limit = 65_536;
    for (const text of ["\u200b".repeat(1_048_576), "\u200ba".repeat(524_288), "a".repeat(1_048_576)]) {
      let worked = 0;
      const around = (json: string, piece = "") => {
        worked += piece.length;
        return json + showHidden(piece);
      };
      const prepare = (json: string, piece?: string) => {
        const framed = JSON.stringify(around(json, piece));
        return () => framed;
      };
      const results = openResults({ around, prepare }, limit);
      const { members } = results.piece({ body: text }, 0, text.length, () => ({}));
      assert.ok(members.length > limit / 2, "what fits is there");
      results.framedPiece(text, () => ({}));
      assert.ok(worked < 4 * limit, `${worked} characters were framed`);
    }
  });

  test("A40 a post that is read again has another number in its frame; a changed one is read anew", async () => {
    const id = await content.post(ada, { title: "First title", body: "First text", status: "DRAFT" });
    const read = async (tool: string, args: JsonObject = {}) => textOf(await content.call(ada, tool, { id, ...args }));
    const texts = [await read("get_post"), await read("get_post"), await read("get_post")];
    const [first] = texts.map((text) => text.replaceAll(/(content )[0-9a-f]{32}/g, "$1"));
    for (const text of texts) assert.equal(text.replaceAll(/(content )[0-9a-f]{32}/g, "$1"), first);
    assert.equal(new Set(texts).size, 3);
    // Another tool, and another piece, of the same answer.
    assert.match(await read("fetch"), /"metadata":/);
    assert.match(await read("get_post", { from: 6 }), /\n\ntext\n/);
    assert.match(await read("get_post", { length: 5 }), /\n\nFirst\n/);
    await content.call(ada, "update_post", { id, expectedVersion: 1, body: "Second text" });
    assert.match(await read("get_post"), /\n\nSecond text\n/);
  });

  test("A33 a piece may begin in the middle of a character, or beyond the end", async () => {
    const id = await content.post(ada, { body: "a\u{1f600}b" });
    const piece = async (args: JsonObject) => structured(await content.call(ada, "get_post", { id, ...args }));
    assert.deepEqual(await piece({ from: 2, length: 1 }).then(({ from, text, nextFrom }) => [from, text, nextFrom]), [
      1,
      "\u{1f600}",
      3,
    ]);
    assert.deepEqual(await piece({ from: 99 }).then(({ from, text, nextFrom }) => [from, text, nextFrom]), [
      4,
      "",
      undefined,
    ]);
    assert.equal((await piece({ from: 1, length: 1 })).text, "\u{1f600}");
  });

  test("A33 a page of long titles has what fits, and its cursor goes on from there", async () => {
    const bob = await content.person();
    const title = "\u{e0041}".repeat(300);
    for (let made = 0; made < 30; made++) await content.post(bob, { title, status: "DRAFT" });
    const seen = new Set<string>();
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const more = cursor === undefined ? {} : { cursor };
      const result = await content.call(bob, "list_posts", { author: "me", status: "DRAFT", first: 50, ...more });
      assert.ok(Buffer.byteLength(JSON.stringify(result)) <= 65_536);
      assertMatches("list_posts", result);
      const page = structured(result);
      for (const { id } of page.posts) seen.add(id);
      cursor = page.nextCursor;
    }
    assert.equal(seen.size, 30);
  });

  test("A31 create_draft with one key makes one draft, also when the calls overlap; other text with it is refused", async () => {
    const args = { title: "Once", body: "text", key: 'odd"key\\' };
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => content.call(ada, "create_draft", args)));
    const made = [first as ToolResult, ...others].filter((result) => !("isError" in result));
    for (const result of others) if ("isError" in result) assert.equal(errorIn(result).code, "CONFLICT");
    const again = await content.call(ada, "create_draft", args);
    assert.equal(new Set([...made, again].map((result) => structured(result).id)).size, 1);
    assert.equal(errorIn(await content.call(ada, "create_draft", { ...args, title: "Other" })).code, "BAD_USER_INPUT");
    const bob = await content.person();
    assert.notEqual(structured(await content.call(bob, "create_draft", args)).id, structured(again).id);
  });

  test("A32 annotations say what the tools do: readers write nothing, and a call that is repeated has no further effect", async () => {
    const version = async () => (await content.store.outbox.list(null, 100_000)).length;
    for (const [name, { annotations }] of tools) {
      const id = await content.post(ada, { status: name === "publish_post" ? "DRAFT" : "PUBLISHED" });
      const args: Record<string, JsonObject> = {
        search: { query: "title" },
        ...{ whoami: {}, list_posts: {}, list_people: {}, get_person: { id: ada.userId as string } },
        create_draft: { title: "t", body: "b", key: `annotation-${name}` },
        update_post: { id, expectedVersion: 1, body: "new" },
      };
      const before = await version();
      assert.ok(!("isError" in (await content.call(ada, name, args[name] ?? { id }))), name);
      const once = await version();
      assert.equal(once === before, annotations?.readOnlyHint, `${name} is read-only`);
      await content.call(ada, name, args[name] ?? { id });
      assert.equal((await version()) === once, annotations?.idempotentHint, `${name} is idempotent`);
      const { json } = await content.query(ada, "query ($id: ID!) { post(id: $id) { body } }", { id });
      const isLost = json.data.post === null || json.data.post.body !== "*Text*";
      assert.equal(isLost, annotations?.destructiveHint, `${name} destroys`);
    }
  });

  test("A41 the token goes to GraphQL alone: no result and no request has it elsewhere", async () => {
    const recorded = content.another({});
    const id = await recorded.post(ada);
    const results = [];
    for (const [name, args] of [
      ["get_post", { id }],
      ["whoami", {}],
      ["search", { query: "title" }],
    ] as const)
      results.push(await recorded.call(ada, name, args));
    results.push(await recorded.call(ada, "delete_post", { id }, { clientCapabilities: { elicitation: {} } }));
    const secret = AUTHORIZATION.slice("Bearer ".length);
    assert.ok(!JSON.stringify(results).includes(secret));
    for (const { request, response } of recorded.traffic) {
      assert.equal(request.headers.authorization, AUTHORIZATION, "its limits count together");
      const { authorization: _, ...headers } = request.headers;
      const rest = JSON.stringify([headers, request.url, request.viewer, request.own, response]);
      assert.ok(!rest.includes(secret));
    }
  });

  test("A43 every request says which tool acts, with the trace of the call", async () => {
    const traced = content.another({});
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await traced.call(ada, "create_draft", { title: "t", body: "", key: "traced" }, { traceparent });
    const agents = traced.traffic.map(({ request }) => request.viewer.agent);
    assert.deepEqual(agents, [{ tool: "create_draft", traceparent }]);
  });

  test("tools work where the server runs trusted documents only", async () => {
    const id = await content.post(ada);
    const strict = content.another({ trustedDocuments: { byId: new Map(), only: true } });
    assert.equal((await strict.query(ada, "{ posts { id } }")).status, 400);
    assert.equal(structured(await strict.call(ada, "get_post", { id })).id, id);
  });
});

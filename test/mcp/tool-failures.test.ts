import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AppError, type ErrorCode } from "../../src/domain/errors.ts";
import type { Viewer } from "../../src/domain/viewer.ts";
import type { ContentResponse } from "../../src/mcp/tools/options.ts";
import { errorIn, openTestContent, type TestContent } from "./content.ts";

/** The advice to a model for each code. The type makes sure that none is missing. */
const ROWS: { readonly [Code in ErrorCode]: readonly [extensions: object, next: RegExp] } = {
  GRAPHQL_PARSE_FAILED: [{}, /fault of the server/],
  GRAPHQL_VALIDATION_FAILED: [{}, /fault of the server/],
  BAD_REQUEST: [{}, /fault of the server/],
  PERSISTED_QUERY_NOT_FOUND: [{}, /fault of the server/],
  INTERNAL: [{ requestId: "request-1" }, /Tell the person/],
  BAD_USER_INPUT: [{ field: "input.title" }, /^Correct the arguments/],
  UNAUTHENTICATED: [{ maxAge: 60 }, /connect this program again/],
  FORBIDDEN: [{}, /^Do not try again/],
  NOT_FOUND: [{}, /^Check the id/],
  CONFLICT: [{ version: 7 }, /get_post.*expectedVersion 7\.$/],
  COST_LIMIT_EXCEEDED: [{ limit: 10 }, /first/],
  RATE_LIMITED: [{ retryAfter: 30 }, /^Try again in 30 seconds\.$/],
  UNAVAILABLE: [{ retryAfter: 1 }, /^Try again in 1 second\./],
};

describe("failures of tools", () => {
  let content: TestContent;
  let ada: Viewer;
  before(async () => {
    content = await openTestContent();
    ada = await content.person();
  });
  after(() => content.close());

  const answering = (extensions: object, message = "A sentence.", headers = {}) => {
    const body = JSON.stringify({ errors: [{ message, extensions }], data: null });
    const response: ContentResponse = { status: 200, headers, body };
    return content.another({ service: { handle: () => response } });
  };

  test("A31 each code has one sentence and what to do next, and no structured content", async () => {
    for (const [code, [details, next]] of Object.entries(ROWS)) {
      if (code === "RATE_LIMITED") continue;
      const result = await answering({ code, ...details }).call(ada, "get_post", { id: "x" });
      const error = errorIn(result);
      assert.deepEqual([error.code, error.message], [code, "A sentence."]);
      assert.match(error.next, next, code);
      assert.ok(!("structuredContent" in result), code);
      assert.ok("content" in result && result.content.length === 1);
    }
  });

  test("A31 names in a message are those of the tool's arguments", async () => {
    const wrong = answering({ code: "BAD_USER_INPUT", field: "input.title" }, "input.title must not be empty.");
    const { message } = errorIn(await wrong.call(ada, "create_draft", { title: "t", body: "", key: "k" }));
    assert.equal(message, "title must not be empty.");
  });

  test("A31 a conflict says the current version", async () => {
    const id = await content.post(ada);
    await content.call(ada, "update_post", { id, expectedVersion: 1, title: "Second" });
    const error = errorIn(await content.call(ada, "update_post", { id, expectedVersion: 1, title: "Third" }));
    assert.deepEqual([error.code, error.version], ["CONFLICT", 2]);
    assert.match(error.next, /expectedVersion 2\.$/);
  });

  test("A31 what another may change is told apart from what one does not see", async () => {
    const bob = await content.person();
    const [published, draft] = [await content.post(bob), await content.post(bob, { status: "DRAFT" })];
    const codes = [];
    for (const id of [published, draft, "no id at all"])
      for (const tool of ["get_post", "delete_post"]) {
        const result = await content.call(ada, tool, { id });
        codes.push("isError" in result ? errorIn(result).code : "ok");
      }
    assert.deepEqual(codes, ["ok", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
  });

  test("A33 points that are used up are refused as at /graphql, with the time to wait", async () => {
    const limited = content.another({
      graphql: { RATE_LIMIT_TOKEN: { points: 7, seconds: 3_600 }, RATE_LIMIT_ADDRESS: { points: 1_000, seconds: 1 } },
    });
    const id = await content.post(ada);
    for (let calls = 0; calls < 3; calls++) await limited.call(ada, "get_post", { id });
    await assert.rejects(limited.call(ada, "get_post", { id }), isRateLimited);
    const { request } = limited.traffic.at(-1) as (typeof limited.traffic)[0];
    const direct = await limited.graphql.handle({
      ...{ method: "POST", url: "/graphql", requestId: "request-3", viewer: ada, address: "192.0.2.1" },
      headers: { "content-type": "application/json", authorization: request.headers.authorization },
      body: Buffer.from('{"query":"{ posts { id } }"}'),
    });
    assert.equal(direct.status, 429, "they count together");
  });

  test("A33 AGENT_WRITES_PER_HOUR counts changes of one person by one program", async () => {
    const limited = content.another({ settings: { AGENT_WRITES_PER_HOUR: 2 } });
    const draft = (viewer: Viewer, key: string) => limited.call(viewer, "create_draft", { title: "t", body: "", key });
    for (const key of ["1", "2"]) await draft(ada, `hour-${key}`);
    assert.equal((await whoami(limited)).writesLeft, 0);
    await assert.rejects(draft(ada, "hour-3"), isRateLimited);
    const id = await content.post(ada);
    await assert.rejects(limited.call(ada, "delete_post", { id }), isRateLimited);
    await assert.rejects(
      limited.call(ada, "delete_post", { id }, { clientCapabilities: { elicitation: {} } }),
      isRateLimited,
      "nobody is asked in vain",
    );
    await limited.call(ada, "get_post", { id });
    await draft({ ...ada, clientId: "another" }, "hour-4");
    await draft(await content.person(), "hour-5");
  });

  test("A33 AGENT_WRITES_PER_HOUR=0 allows no change", async () => {
    const none = content.another({ settings: { AGENT_WRITES_PER_HOUR: 0 } });
    const result = await none.call(ada, "create_draft", { title: "t", body: "", key: "none" });
    assert.deepEqual(errorIn(result).message, "This server lets agents change nothing.");
    assert.equal((await whoami(none)).writesLeft, 0);
  });

  async function whoami(of: TestContent) {
    const result = await of.call(ada, "whoami");
    return ("structuredContent" in result ? result.structuredContent : {}) as { writesLeft?: number };
  }
});

function isRateLimited(error: unknown) {
  assert.ok(error instanceof AppError && error.code === "RATE_LIMITED", String(error));
  assert.ok((error.details.retryAfter ?? 0) >= 1);
  return true;
}

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Viewer } from "../../src/domain/viewer.ts";
import type { InputRequired, JsonObject } from "../../src/mcp/protocol/service.ts";
import type { ContentCall } from "../../src/mcp/tools/options.ts";
import { errorIn, openTestContent, structured, type TestContent, textOf } from "./content.ts";

const FORMS = { clientCapabilities: { elicitation: {} } };
const YES = { confirm: { action: "accept", content: { confirm: true } } };

describe("A42 the person confirms what readers notice", () => {
  let content: TestContent;
  let ada: Viewer;
  let now = Date.now();
  before(async () => {
    content = await openTestContent({ service: { now: () => now } });
    ada = await content.person();
  });
  after(() => content.close());

  const draft = (input = {}) => content.post(ada, { status: "DRAFT", ...input });
  async function ask(tool: string, args: JsonObject, viewer = ada): Promise<InputRequired & { requestState: string }> {
    const asked = await content.call(viewer, tool, args, FORMS);
    assert.ok("requestState" in asked && asked.requestState !== undefined, JSON.stringify(asked));
    return { ...asked, requestState: asked.requestState };
  }
  const answer = (
    tool: string,
    args: JsonObject,
    requestState: string,
    more: Partial<ContentCall> = {},
    viewer = ada,
  ) => content.call(viewer, tool, args, { ...FORMS, requestState, inputResponses: YES, ...more });
  const statusOf = async (id: string) =>
    (await content.query(ada, "query ($id: ID!) { post(id: $id) { status } }", { id })).json.data.post?.status;

  test("A42 publish, unpublish, archive and delete ask by a form with one question, and do it when the person agrees", async () => {
    const id = await draft({ title: "Line\nbreak \u202e“quoted” ".padEnd(250, "x") });
    const rows = [
      ["publish_post", "PUBLISHED"],
      ["archive_post", "ARCHIVED"],
      ["unpublish_post", "DRAFT"],
      ["delete_post", undefined],
    ] as const;
    for (const [tool, status] of rows) {
      const before = await statusOf(id);
      const { inputRequests, requestState } = await ask(tool, { id });
      assert.equal(await statusOf(id), before, "nothing happens before the answer");
      const { method, params } = (inputRequests as JsonObject).confirm as { method: string; params: JsonObject };
      assert.deepEqual([method, params.mode], ["elicitation/create", "form"]);
      assert.match(
        params.message as string,
        /^[A-Z][a-z ]+\? Title: “Line break \\u\{202e\}.{0,100}”, version \d+\. [^\n]+\.$/,
      );
      assert.match(params.message as string, /^[^“”"]+“[^“”"]+'quoted'[^“”"]+”[^“”"]+$/, "no title ends early");
      assert.deepEqual((params.requestedSchema as JsonObject).required, ["confirm"]);
      assert.deepEqual(Object.keys((params.requestedSchema as { properties: object }).properties), ["confirm"]);
      assert.ok(!("isError" in (await answer(tool, { id }, requestState))), tool);
      assert.equal(await statusOf(id), status);
    }
  });

  test("A42 other tools do not ask", async () => {
    const made = await content.call(ada, "create_draft", { title: "t", body: "", key: "unasked" }, FORMS);
    const { id, version } = structured(made);
    structured(await content.call(ada, "update_post", { id, expectedVersion: version, body: "new" }, FORMS));
  });

  test("A42 a confirmation counts once", async () => {
    const id = await draft();
    const { requestState } = await ask("publish_post", { id });
    const both = await Promise.all([1, 2].map(() => answer("publish_post", { id }, requestState)));
    assert.equal(both.filter((result) => "isError" in result).length, 1, "of two at the same time, too");
    await content.call(ada, "unpublish_post", { id });
    assertUnusable(await answer("publish_post", { id }, requestState));
    assert.equal(await statusOf(id), "DRAFT");
  });

  test("A42 a no counts, and is final", async () => {
    const id = await draft();
    for (const response of [
      { action: "decline" },
      { action: "cancel" },
      { action: "accept", content: { confirm: false } },
    ]) {
      const { requestState } = await ask("publish_post", { id });
      const refused = await answer("publish_post", { id }, requestState, { inputResponses: { confirm: response } });
      assert.equal(errorIn(refused).code, "DECLINED");
      assertUnusable(await answer("publish_post", { id }, requestState));
    }
    assert.equal(await statusOf(id), "DRAFT");
  });

  test("A42 an answer that cannot be read is asked for again", async () => {
    const id = await draft();
    const { requestState } = await ask("publish_post", { id });
    const responses = [
      null,
      {},
      { confirm: null },
      { confirm: "yes" },
      { confirm: { action: "accept" } },
      { confirm: { action: "accept", content: null } },
      { confirm: { action: "accept", content: { confirm: "true" } } },
      { other: YES.confirm },
    ];
    for (const inputResponses of responses) {
      const again = await answer("publish_post", { id }, requestState, { inputResponses });
      assert.ok("inputRequests" in again, JSON.stringify(inputResponses));
    }
    assert.equal(await statusOf(id), "DRAFT");
  });

  test("A42 it holds for one person, client, tool, post, set of arguments and version alone", async () => {
    const [id, other] = [await draft(), await draft()];
    const editor = await content.person("editor");
    const { requestState } = await ask("publish_post", { id });
    assertUnusable(await answer("publish_post", { id }, requestState, {}, editor));
    assertUnusable(await answer("publish_post", { id }, requestState, {}, { ...ada, clientId: "other" }));
    assertUnusable(await answer("publish_post", { id }, requestState, {}, { ...ada, userId: null }));
    assertUnusable(await answer("delete_post", { id }, requestState));
    assertUnusable(await answer("publish_post", { id: other }, requestState));
    assertUnusable(await answer("publish_post", { id, expectedVersion: 1 }, requestState));
    await content.call(ada, "update_post", { id, expectedVersion: 1, title: "Meanwhile" });
    const conflict = errorIn(await answer("publish_post", { id }, requestState));
    assert.deepEqual([conflict.code, conflict.version], ["CONFLICT", 2]);
    assert.deepEqual([await statusOf(id), await statusOf(other)], ["DRAFT", "DRAFT"]);
  });

  test("A42 it holds for 10 minutes", async () => {
    const id = await draft();
    const { requestState } = await ask("publish_post", { id });
    now += 600_000;
    assertUnusable(await answer("publish_post", { id }, requestState));
    const second = await ask("publish_post", { id });
    now += 598_000;
    structured(await answer("publish_post", { id }, second.requestState));
  });

  test("A42 a state that was altered, made up or made for something else does not open", async () => {
    const id = await draft();
    const { requestState } = await ask("publish_post", { id });
    for (let at = 0; at < requestState.length; at += 7) {
      const altered = requestState.slice(0, at) + (requestState[at] === "A" ? "B" : "A") + requestState.slice(at + 1);
      // The last character of base64url may have bits that stand for nothing.
      if (Buffer.from(altered, "base64url").equals(Buffer.from(requestState, "base64url"))) continue;
      assertUnusable(await answer("publish_post", { id }, altered));
    }
    for (const made of ["", "{}", "AAAA", requestState.slice(0, 40), "x".repeat(100_000)])
      assertUnusable(await answer("publish_post", { id }, made));
    assert.doesNotMatch(Buffer.from(requestState, "base64url").toString("latin1"), /publish|agent/, "it tells nothing");
    assert.equal(await statusOf(id), "DRAFT");
  });

  test("A42 nobody is asked about a post that they do not see, or that has another version than expected", async () => {
    const bob = await content.person();
    const hidden = await content.post(bob, { status: "DRAFT" });
    assert.equal(errorIn(await content.call(ada, "delete_post", { id: hidden }, FORMS)).code, "NOT_FOUND");
    const id = await draft();
    const conflict = errorIn(await content.call(ada, "publish_post", { id, expectedVersion: 9 }, FORMS));
    assert.deepEqual([conflict.code, conflict.version], ["CONFLICT", 1]);
  });

  test("A42 a client that cannot ask does so itself, or is refused (MCP_CONFIRM)", async () => {
    const refusing = content.another({ settings: { MCP_CONFIRM: "refuse" } });
    for (const clientCapabilities of [{}, { elicitation: { url: {} } }, { elicitation: null }, { sampling: {} }]) {
      const id = await draft();
      const refused = errorIn(await refusing.call(ada, "publish_post", { id }, { clientCapabilities }));
      assert.equal(refused.code, "FORBIDDEN");
      assert.equal(await statusOf(id), "DRAFT");
      structured(await content.call(ada, "publish_post", { id }, { clientCapabilities }));
    }
    const id = await draft();
    for (const elicitation of [{}, { form: {} }, { form: {}, url: {} }]) {
      const asked = await refusing.call(ada, "publish_post", { id }, { clientCapabilities: { elicitation } });
      assert.ok("inputRequests" in asked);
    }
  });

  function assertUnusable(result: Awaited<ReturnType<TestContent["call"]>>): void {
    assert.match(textOf(result), /This confirmation is not for this call/);
    assert.ok("isError" in result);
  }
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type FixtureServer, openFixtureServer } from "./fixture-server.ts";

const run = promisify(execFile);
const INSPECTOR = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json")));

describe("A02 official clients", () => {
  let server: FixtureServer;
  before(async () => {
    server = await openFixtureServer();
  });
  after(() => server.close());

  test("1.32.2 lists, calls, reads, gets a prompt, and answers questions", async () => {
    const client = new EarlierClient(
      { name: "test", version: "1" },
      { capabilities: { sampling: {}, elicitation: {} } },
    );
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      ...{ action: "accept" as const, content: { username: "ada", email: "ada@example.org" } },
    }));
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      ...{ role: "assistant" as const, model: "test", content: { type: "text" as const, text: "Paris" } },
    }));
    const transport = new EarlierTransport(new URL(server.url));
    // Its own class differs from its own interface under exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    assert.equal(transport.sessionId, undefined);
    assert.equal(client.getServerVersion()?.name, "fixture");
    const { tools } = await client.listTools();
    assert.ok(tools.length > 20);
    const called = await client.callTool({ name: "test_structured", arguments: { count: 3 } });
    assert.deepEqual(called.structuredContent, { count: 3 });
    const seen: number[] = [];
    await client.callTool({ name: "test_tool_with_progress" }, undefined, {
      onprogress: ({ progress }) => void seen.push(progress),
    });
    assert.deepEqual(seen, [0, 50, 100]);
    const elicited = await client.callTool({ name: "test_elicitation", arguments: { message: "Who are you?" } });
    assert.match(JSON.stringify(elicited.content), /ada@example\.org/);
    const sampled = await client.callTool({ name: "test_sampling", arguments: { prompt: "Capital of France?" } });
    assert.match(JSON.stringify(sampled.content), /Paris/);
    const { contents } = await client.readResource({ uri: "test://template/5/data" });
    assert.match(JSON.stringify(contents), /Data for ID: 5/);
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
    const got = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } });
    assert.match(JSON.stringify(got.messages), /arg1='a', arg2='b'/);
    await assert.rejects(client.callTool({ name: "nothing" }), { code: -32602 });
    await assert.rejects(client.readResource({ uri: "test://nothing" }), { code: -32002 });
    await client.close();
  });

  for (const [mode, version] of [
    ["auto", "2026-07-28"],
    ["legacy", "2025-11-25"],
  ] as const)
    test(`2.4.0 in its mode ${mode} lists, calls, reads, gets a prompt, and answers questions`, async () => {
      const client = new Client(
        { name: "test", version: "1" },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
      );
      client.setRequestHandler("elicitation/create", async () => ({
        ...{ action: "accept" as const, content: { name: "Ada", username: "ada", email: "ada@example.org" } },
      }));
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.ok((await client.listTools()).tools.length > 20);
      const called = await client.callTool({ name: "test_structured", arguments: { count: 3 } });
      assert.deepEqual(called.structuredContent, { count: 3 });
      const asked = mode === "auto" ? "test_input_required_result_elicitation" : "test_elicitation";
      const elicited = await client.callTool({ name: asked, arguments: { message: "Who are you?" } });
      assert.match(JSON.stringify(elicited.content), /Ada|ada@example\.org/);
      const { contents } = await client.readResource({ uri: "test://template/ä/data" });
      assert.match(JSON.stringify(contents), /Data for ID: ä/);
      const got = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } });
      assert.match(JSON.stringify(got.messages), /arg1='a', arg2='b'/);
      await client.close();
    });

  test("A04 2.4.0 hears of changes that it listens to", async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const seen = new Promise((resolve) =>
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri)),
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
    const { honoredFilter, close } = await client.listen({ resourceSubscriptions: ["test://static-text"] });
    assert.deepEqual(honoredFilter, { resourceSubscriptions: ["test://static-text"] });
    server.service.change("test://static-text");
    assert.equal(await seen, "test://static-text");
    await close();
    await client.close();
  });

  test("A07 inspector --cli exits 0", async () => {
    const inspector = join(INSPECTOR, "clients/launcher/build/index.js");
    const { stdout } = await run(process.execPath, [
      ...[inspector, "--cli", server.url, "--transport", "http"],
      ...["--method", "tools/list", "--format", "json"],
    ]);
    assert.match(stdout, /test_simple_text/);
  });
});

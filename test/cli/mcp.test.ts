import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { PROGRAM, runCommand, runJson } from "../command.ts";

const PASSWORD = "seventeen tall birches";
const INFO = { name: "test", version: "1" };
const READING = ["search", "fetch", "list_posts", "get_post", "list_people", "get_person", "whoami"];

interface Written {
  readonly id: string;
  readonly status: string;
  readonly version: number;
}

describe("A06 content-api mcp --stdio", () => {
  let folder: string;
  let environment: Record<string, string>;
  let personId: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    environment = { DATABASE_URL: `sqlite:${join(folder, "content.db")}`, PATH: process.env.PATH ?? "" };
    await runJson(["migrate"], environment);
    const user = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--password-stdin"];
    personId = (await runJson<{ id: string }>(user, environment, PASSWORD)).id;
  });
  after(() => rm(folder, { recursive: true }));

  const server = (level: string, more: Record<string, string> = {}) => ({
    command: PROGRAM,
    args: ["mcp", "--stdio", "--user", "ada@example.com", "--level", level],
    env: { ...environment, ...more },
  });

  test("A06 the official client 2.4.0 reads, writes a draft, and publishes it when its person agrees", async () => {
    const questions: string[] = [];
    const client = new Client(INFO, {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: "auto" },
    });
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      questions.push(params.message);
      return { action: "accept" as const, content: { confirm: true } };
    });
    await client.connect(new StdioClientTransport(server("write")));
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
      const { tools } = await client.listTools();
      assert.equal(tools.length, 13);
      const made = await client.callTool({
        name: "create_draft",
        arguments: { title: "From an agent", body: "# Hi", key: "first" },
      });
      const { id } = made.structuredContent as unknown as Written;
      const published = await client.callTool({ name: "publish_post", arguments: { id } });
      assert.equal((published.structuredContent as unknown as Written).status, "PUBLISHED");
      assert.equal(questions.length, 1);
      assert.match(questions[0] ?? "", /From an agent/);
      const { contents } = await client.readResource({ uri: `post://${id}` });
      assert.deepEqual(contents, [{ uri: `post://${id}`, mimeType: "text/markdown", text: "# Hi" }]);
      const { messages } = await client.getPrompt({ name: "review_post", arguments: { id } });
      assert.match(JSON.stringify(messages), /# Hi/);
      const { structuredContent } = await client.callTool({ name: "whoami", arguments: {} });
      assert.deepEqual((structuredContent as { person: object }).person, { id: personId, name: "Ada" });
      await assert.rejects(client.callTool({ name: "nothing", arguments: {} }), { code: -32602 });
    } finally {
      await client.close();
    }
    const { stdout } = await runCommand(["audit", "--json"], environment);
    assert.match(stdout, /create_draft/, "A43 the trail has the tool");
  });

  test("A06 the official client 1.32.2 asks its person too, and a no changes nothing", async () => {
    const client = new EarlierClient(INFO, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "decline" as const }));
    await client.connect(new EarlierTransport(server("write")) as Parameters<typeof client.connect>[0]);
    try {
      const key = { title: "Second", body: "", key: "second" };
      const { id } = (await client.callTool({ name: "create_draft", arguments: key }))
        .structuredContent as unknown as Written;
      const refused = await client.callTool({ name: "publish_post", arguments: { id } });
      assert.equal(refused.isError, true);
      assert.match(JSON.stringify(refused.content), /DECLINED/);
      const post = await client.callTool({ name: "get_post", arguments: { id } });
      assert.equal((post.structuredContent as unknown as Written).status, "DRAFT");
    } finally {
      await client.close();
    }
  });

  test("A06 the level decides what the agent may do, and MCP=read lets none write", async () => {
    const rows = [
      [server("read"), READING],
      [server("draft"), [...READING, "create_draft", "update_post"]],
      [server("write", { MCP: "read" }), READING],
    ] as const;
    for (const [parameters, expected] of rows) {
      const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
      await client.connect(new StdioClientTransport(parameters));
      try {
        assert.deepEqual(
          (await client.listTools()).tools.map(({ name }) => name),
          expected,
        );
      } finally {
        await client.close();
      }
    }
  });

  test("A44 it refuses while all agents are stopped, and when the person is disabled", async () => {
    const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StdioClientTransport(server("read")));
    const codeOf = async () => {
      const { isError, content } = await client.callTool({ name: "list_posts", arguments: {} });
      return isError === true ? JSON.parse((content as { text: string }[])[0]?.text ?? "").code : "ok";
    };
    const becomes = async (code: string) => {
      for (let tries = 0; (await codeOf()) !== code; tries++) {
        assert.ok(tries < 500, code);
        await pause(10);
      }
    };
    try {
      assert.equal(await codeOf(), "ok");
      await runCommand(["agent", "stop", "--all"], environment);
      await becomes("UNAVAILABLE");
      await runCommand(["agent", "stop", "--all", "--resume"], environment);
      await becomes("ok");
      const other = [
        "user",
        "create",
        "--email",
        "bob@example.com",
        "--name",
        "Bob",
        "--role",
        "admin",
        "--password-stdin",
      ];
      await runJson(other, environment, PASSWORD);
      assert.equal((await runCommand(["user", "disable", "ada@example.com"], environment)).code, 0);
      assert.equal(await codeOf(), "UNAUTHENTICATED");
      assert.equal((await runCommand(["user", "enable", "ada@example.com"], environment)).code, 0);
    } finally {
      await client.close();
    }
  });

  test("A06 it never makes a database, knows its person, and needs --stdio and agents that are let in", async () => {
    const missing = { ...environment, DATABASE_URL: `sqlite:${join(folder, "missing.db")}` };
    const rows = [
      [["--stdio"], missing, 1, /There is no database/],
      [["--stdio", "--user", "nobody@example.com"], environment, 1, /no active person/],
      [["--stdio"], { ...environment, MCP: "off" }, 2, /MCP=off lets no agent in/],
      [[], environment, 2, /--stdio must be given/],
      [["--stdio", "--level", "all"], environment, 2, /level/],
    ] as const;
    for (const [args, settings, code, message] of rows) {
      const result = await runCommand(["mcp", ...args], settings);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, message);
      assert.equal(result.stdout, "");
    }
    assert.ok(!existsSync(join(folder, "missing.db")));
  });

  test("A06 it ends with its input, and writes nothing but messages to standard output", async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\nnot JSON\n';
    const { code, stdout } = await runCommand(["mcp", "--stdio", "--user", "ada@example.com"], environment, ping);
    assert.equal(code, 0);
    const messages = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(messages.length, 2);
    const answer = messages.find(({ id }) => id === 1);
    assert.deepEqual(answer, { jsonrpc: "2.0", id: 1, result: {} });
    assert.equal(messages.find(({ error }) => error !== undefined).error.code, -32_700);
  });
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { STATELESS_META } from "./raw-client.ts";

const PROCESS = { command: process.execPath, args: [join(import.meta.dirname, "stdio-process.ts")] };

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly protocolVersion?: string; readonly resultType?: string };
  readonly error?: { readonly code: number };
}

/** Writes the lines, closes the input where told, and collects what comes back. */
async function talk(lines: readonly (object | string)[], until?: (messages: readonly Message[]) => boolean) {
  const child = spawn(PROCESS.command, PROCESS.args, { stdio: ["pipe", "pipe", "inherit"] });
  const messages: Message[] = [];
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    const parts = text.split("\n");
    text = parts.pop() ?? "";
    for (const part of parts) messages.push(JSON.parse(part));
    if (until?.(messages)) child.stdin.end();
  });
  for (const line of lines) child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  if (until === undefined) child.stdin.end();
  const code = await new Promise((resolve) => child.once("exit", resolve));
  return { code, messages, rest: text };
}

const stateless = (id: unknown, method: string, params: object = {}) => ({
  ...{ jsonrpc: "2.0", id, method, params: { _meta: STATELESS_META, ...params } },
});
const earlier = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });

describe("A06 the protocol over standard input and output", () => {
  test("the official client 2.4.0 finds the stateless revision, calls and is asked", async () => {
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { name: "Ada" } }));
    await client.connect(new StdioClientTransport(PROCESS));
    assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
    assert.ok((await client.listTools()).tools.length > 20);
    const asked = await client.callTool({ name: "test_input_required_result_elicitation", arguments: {} });
    assert.match(JSON.stringify(asked.content), /Ada/);
    const seen = new Promise((resolve) =>
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri)),
    );
    const subscription = await client.listen({ resourceSubscriptions: ["test://watched-resource"] });
    assert.equal(await seen, "test://watched-resource");
    await subscription.close();
    await client.close();
  });

  test("the official client 1.32.2 shakes hands, calls and is asked", async () => {
    const client = new EarlierClient({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      ...{ action: "accept" as const, content: { username: "ada", email: "ada@example.org" } },
    }));
    await client.connect(new EarlierTransport(PROCESS));
    assert.ok((await client.listTools()).tools.length > 20);
    const asked = await client.callTool({ name: "test_elicitation", arguments: { message: "Who are you?" } });
    assert.match(JSON.stringify(asked.content), /ada@example\.org/);
    const { contents } = await client.readResource({ uri: "test://static-text" });
    assert.equal(contents.length, 1);
    await client.close();
  });

  test("the capabilities of initialize count for later requests of that era alone", async () => {
    const tool = { name: "test_missing_capability", arguments: {} };
    const { code, messages } = await talk([
      earlier(1, "initialize", { protocolVersion: "2025-06-18", capabilities: { sampling: {} } }),
      earlier(2, "tools/call", tool),
      stateless(3, "tools/call", tool),
    ]);
    assert.equal(code, 0);
    const answers = new Map(messages.map((message) => [message.id, message]));
    assert.equal(answers.get(1)?.result?.protocolVersion, "2025-06-18");
    assert.match(JSON.stringify(answers.get(2)), /can sample/);
    assert.equal(answers.get(3)?.error?.code, -32021);
  });

  test("every request is answered before the process ends with its input", async () => {
    const calls = Array.from({ length: 20 }, (_, id) =>
      stateless(id, "tools/call", { name: "test_tool_with_logging" }),
    );
    const { code, messages, rest } = await talk(calls);
    assert.deepEqual([code, rest], [0, ""]);
    assert.equal(messages.filter(({ result }) => result !== undefined).length, 20);
  });

  test("a listener hears what it asked for, and a closing result when the input ends", async () => {
    const filter = { notifications: { resourceSubscriptions: ["test://watched-resource"] } };
    const { code, messages } = await talk([stateless("s", "subscriptions/listen", filter)], (got) => got.length > 2);
    assert.equal(code, 0);
    assert.equal(messages[0]?.method, "notifications/subscriptions/acknowledged");
    assert.equal(messages[1]?.method, "notifications/resources/updated");
    assert.deepEqual([messages.at(-1)?.id, messages.at(-1)?.result?.resultType], ["s", "complete"]);
  });

  test("a cancelled request gets no answer, and its listener hears nothing more", async () => {
    const filter = { notifications: { resourceSubscriptions: ["test://watched-resource"] } };
    const cancel = (requestId: unknown) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    const { code, messages } = await talk(
      [
        stateless("s", "subscriptions/listen", filter),
        stateless("t", "tools/call", { name: "test_tool_with_logging" }),
        cancel("s"),
        cancel("t"),
        cancel("unknown"),
        cancel(undefined),
        stateless("last", "tools/call", {
          name: "test_tool_with_progress",
          _meta: { ...STATELESS_META, progressToken: 1 },
        }),
      ],
      (got) => got.some(({ id }) => id === "last"),
    );
    assert.equal(code, 0);
    assert.deepEqual(
      messages.filter(({ id }) => id === "s" || id === "t"),
      [],
    );
    assert.equal(
      messages.some(({ method }) => method === "notifications/resources/updated"),
      false,
    );
  });

  test("malformed and overlong lines are answered with errors, and the next line is read", async () => {
    const { code, messages } = await talk([
      "{",
      "",
      "[]",
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
      JSON.stringify({ ...earlier(3, "ping"), text: "x".repeat(100_000) }),
      stateless(4, "tools/list", { _meta: undefined }),
      stateless(5, "tools/list", {
        _meta: { ...STATELESS_META, "io.modelcontextprotocol/protocolVersion": "1900-01-01" },
      }),
      earlier(6, "ping"),
    ]);
    assert.equal(code, 0);
    const told = messages.map(({ id, error }) => [id, error?.code]);
    assert.deepEqual(told.slice(0, 4), [
      [undefined, -32700],
      [undefined, -32600],
      [undefined, -32600],
      [undefined, -32600],
    ]);
    assert.deepEqual(
      new Map(told.slice(4) as [unknown, unknown][]),
      new Map<unknown, unknown>([
        [4, undefined],
        [5, -32022],
        [6, undefined],
      ]),
    );
  });
});

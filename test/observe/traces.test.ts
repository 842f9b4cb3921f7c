import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { type CollectedSpan, Collector } from "../collector.ts";
import { runJson } from "../command.ts";
import { addPerson, openWebSocketClient, Results } from "../subscriber.ts";
import { ATTRIBUTES, SPAN_KINDS } from "./semantic-conventions.ts";

const PARENT = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };
const traceparentOf = (trace: string) => `00-${trace}-${PARENT.span}-01`;
const READ = "query Titles { posts(first: 2) { id title } }";

describe("traces of requests", { timeout: 120_000 }, () => {
  let app: TestApp;
  let collector: Collector;
  let receiver: Server;
  let token: string;
  const received: IncomingHttpHeaders[] = [];

  before(async () => {
    collector = await Collector.open();
    receiver = createServer((request, response) => {
      received.push(request.headers);
      request.resume().on("end", () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    app = await openTestApp({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_TRACES_SAMPLER_ARG: "1",
      OTEL_BSP_SCHEDULE_DELAY: "20",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
      TRACE_CONTEXT: "all",
      PRIVATE_HOSTS: "127.0.0.1",
    });
    await addPerson(app.environment, "ada@example.com", "admin");
    const scope = "posts:read posts:write users:read admin";
    const command = ["token", "create", "--user", "ada@example.com", "--scope", scope];
    token = (await runJson<{ access_token: string }>(command, app.environment)).access_token;
  });
  after(async () => {
    await app.close();
    await collector.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  /** Once a span that `isIt` accepts has come. The root of a trace comes together with all that is in it. */
  async function spanWith(isIt: (span: CollectedSpan) => boolean): Promise<CollectedSpan> {
    await collector.until((spans) => spans.some(isIt));
    return collector.spans.find(isIt) as CollectedSpan;
  }
  async function ask(query: string, headers: Record<string, string> = {}, variables: object = {}) {
    const response = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify({ query, variables }),
    });
    await response.text();
    const id = response.headers.get("x-request-id");
    return spanWith(({ attributes }) => attributes["content_api.request_id"] === id);
  }

  test("O04 a first read: the token is verified, the document planned, and one statement runs", async () => {
    const { traceId, attributes } = await ask(READ);
    const tree = collector.tree(traceId);
    const root = { "INTERNAL token verify": { "CLIENT SELECT artifacts": {} } };
    const query = { "INTERNAL parse+plan": {}, "CLIENT SELECT posts": {} };
    assert.deepEqual(tree, { "SERVER POST /graphql": { ...root, "INTERNAL query": query } });
    assert.equal(attributes["http.response.status_code"], 200);
  });

  test("O27 the durations of requests have their traces as examples, on both ways to /graphql", async () => {
    const accept = "application/openmetrics-text;version=1.0.0";
    const page = async () => (await fetch(`${app.url}/metrics`, { headers: { accept } })).text();
    const example = (trace: string) => new RegExp(`^http_request_duration.*route="/graphql".*trace_id="${trace}"`, "m");
    const fast = await ask(READ);
    assert.match(await page(), example(fast.traceId));
    const other = await ask(READ, { origin: app.url });
    assert.match(await page(), example(other.traceId));
  });

  test("O04 a change: its statements as one batch, then its commit", async () => {
    const { traceId } = await ask('mutation { createPost(input: { title: "T", body: "B" }) { id } }');
    const [[server, inServer] = []] = Object.entries(collector.tree(traceId));
    assert.equal(server, "SERVER POST /graphql");
    const [batch = "", ...others] = Object.keys(inServer?.["INTERNAL mutation"] ?? {}).filter((name) =>
      /CLIENT/.test(name),
    );
    assert.match(batch, /^CLIENT .*INSERT posts; INSERT outbox/);
    assert.deepEqual(others, app.config.DATABASE_URL.startsWith("sqlite") ? ["CLIENT COMMIT"] : []);
  });

  test("O03 a traceparent is joined over HTTP, and its tracestate kept; a malformed one is ignored", async () => {
    const joined = await ask(READ, { traceparent: traceparentOf(PARENT.trace), tracestate: "vendor=1" });
    assert.deepEqual([joined.traceId, joined.parentSpanId, joined.traceState], [PARENT.trace, PARENT.span, "vendor=1"]);
    for (const traceparent of [
      "00-0-0-01",
      `ff-${PARENT.trace}-${PARENT.span}-01`,
      `${traceparentOf(PARENT.trace)}-00`,
    ]) {
      const { traceId, parentSpanId } = await ask(READ, { traceparent });
      assert.notEqual(traceId, PARENT.trace, traceparent);
      assert.equal(parentSpanId, undefined);
    }
  });

  test("O03 over WebSocket the trace comes in `extensions`", async () => {
    const trace = "11111111111111111111111111111111";
    const socket = await openWebSocketClient(app.url, token);
    const results = new Results();
    socket.subscribe({ query: READ, extensions: { traceparent: traceparentOf(trace) } }, results.sink);
    await results.until(({ ended }) => ended === "complete");
    await spanWith(({ traceId }) => traceId === trace);
    assert.deepEqual(Object.keys(collector.tree(trace)["SERVER WS /graphql"] ?? {}), ["INTERNAL query"]);
    await socket.dispose();
  });

  test("O04 a tool of an agent, and O03 the trace of `_meta`", async () => {
    const trace = "22222222222222222222222222222222";
    const meta = {
      traceparent: traceparentOf(trace),
      "io.modelcontextprotocol/protocolVersion": "2025-06-18",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const response = await fetch(`${app.url}/mcp`, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", authorization: `Bearer ${token}` },
        ...{ accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" },
      },
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "list_posts", arguments: {}, _meta: meta },
      }),
    });
    assert.equal(response.status, 200, await response.text());
    await spanWith(({ traceId }) => traceId === trace);
    const server = collector.tree(trace)["SERVER POST /mcp"] ?? {};
    const tool = server["INTERNAL tools/call list_posts"] ?? {};
    assert.ok("INTERNAL query" in tool, JSON.stringify(collector.tree(trace)));
  });

  test("O04 a webhook is a trace of its own, O03 which its receiver learns of", async () => {
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/secret-of-the-path`;
    await ask(
      "mutation ($url: String!) { createWebhook(input: { url: $url, events: [POST_CREATED] }) { webhook { id } } }",
      {},
      { url },
    );
    await ask('mutation { createPost(input: { title: "T", body: "B", status: PUBLISHED }) { id } }');
    const root = await spanWith(({ name }) => name === "webhook deliver");
    assert.deepEqual(collector.tree(root.traceId), { "INTERNAL webhook deliver": { "CLIENT POST": {} } });
    const call = collector.spans.find(({ traceId, name }) => traceId === root.traceId && name === "POST");
    assert.equal(call?.attributes["http.response.status_code"], 204);
    assert.equal(received[0]?.traceparent, `00-${root.traceId}-${call?.spanId}-01`);
  });

  test("O05 no token, address, value or document is in what was sent", async () => {
    const canary = "Canary-5f1c";
    await ask(`query { posts(first: 1, filter: { search: "${canary}" }) { id } }`);
    await ask("mutation ($t: String!) { createPost(input: { title: $t, body: $t }) { id } }", {}, { t: canary });
    await ask("query ($id: ID!) { user(id: $id) { id } }", {}, { id: canary });
    await ask(`query { nothing${canary.slice(0, 6)} }`);
    const sent = collector.bodies.join("\n");
    assert.ok(sent.includes("select"), "statements are in it");
    for (const secret of [canary, token, "ada@example.com", "secret-of-the-path", "of-the-collector", "nothingCanary"])
      assert.ok(!sent.includes(secret), secret);
  });

  test("O04 names of attributes and kinds of spans are those of the semantic conventions", () => {
    for (const { name, kind, attributes } of collector.spans) {
      const own = Object.keys(attributes).filter((key) => !key.startsWith("content_api."));
      assert.deepEqual(
        own.filter((key) => !(key in ATTRIBUTES)),
        [],
        name,
      );
      for (const key of own) assert.equal(typeof attributes[key], ATTRIBUTES[key], `${name}: ${key}`);
      const conventional = SPAN_KINDS.find(({ isIt }) => isIt(attributes));
      if (conventional !== undefined) assert.equal(kind, conventional.kind, name);
    }
    assert.equal(collector.resource["service.name"], "content-api");
    assert.equal(collector.resource["deployment.environment.name"], "test");
    assert.equal(collector.heads[0]?.authorization, "Bearer of-the-collector");
    assert.equal(collector.heads[0]?.["content-encoding"], "gzip");
  });
});

import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { type CollectedSpan, Collector } from "../collector.ts";
import { runJson } from "../command.ts";
import { addPerson, openWebSocketClient, postTo, Results } from "../subscriber.ts";

const PARENT = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };
const TRACEPARENT = `00-${PARENT.trace}-${PARENT.span}-01`;
const READ = "query Titles { posts(first: 2) { id title } }";

describe("traces of requests", { timeout: 120_000 }, () => {
  let app: TestApp;
  let collector: Collector;
  let receiver: Server;
  let token: string;
  let ada: { id: string };
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
      OTEL_TRACES_SAMPLER_ARG: "1",
      OTEL_BSP_SCHEDULE_DELAY: "20",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector",
      TRACE_CONTEXT: "all",
      PRIVATE_HOSTS: "127.0.0.1",
    });
    ada = await addPerson(app.environment, "ada@example.com", "admin");
    const command = [
      "token",
      "create",
      "--user",
      "ada@example.com",
      "--scope",
      "posts:read posts:write users:read admin",
    ];
    token = (await runJson<{ access_token: string }>(command, app.environment)).access_token;
  });
  after(async () => {
    await app.close();
    await collector.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  /** The spans of the first trace whose root, and what is in it, `isIt` accepts, once its root has come. */
  async function traceWith(isIt: (span: CollectedSpan) => boolean): Promise<readonly CollectedSpan[]> {
    await collector.until((spans) => spans.some(isIt));
    const { traceId } = collector.spans.find(isIt) as CollectedSpan;
    return collector.spans.filter((span) => span.traceId === traceId);
  }
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify({ query }),
    });
    const id = response.headers.get("x-request-id");
    await response.text();
    return (await traceWith(({ attributes }) => attributes["content_api.request_id"] === id))[0] as CollectedSpan;
  };

  test("O04 a first read: the token is verified, the document planned, and one statement runs", async () => {
    const { traceId } = await ask(READ);
    assert.deepEqual(collector.tree(traceId), {
      "SERVER POST /graphql": {
        "INTERNAL token verify": { "CLIENT SELECT artifacts": {} },
        "INTERNAL query": { "INTERNAL parse+plan": {}, "CLIENT SELECT posts": {} },
      },
    });
  });

  test("O04 the same read again within the caches: the two spans that are left", async () => {
    await ask(READ);
    const { traceId } = await ask(READ);
    console.log(JSON.stringify(collector.tree(traceId)));
  });

  test("O04 a change: its statements as one batch, and its commit", async () => {
    const { traceId } = await ask('mutation { createPost(input: { title: "T", body: "B" }) { id title } }');
    console.log(JSON.stringify(collector.tree(traceId), null, 1));
    console.log(collector.spans.filter((s) => s.traceId === traceId));
  });

  test("O03 GraphQL over WebSocket", async () => {
    const socket = await openWebSocketClient(app.url, token);
    const results = new Results();
    socket.subscribe({ query: READ, extensions: { traceparent: TRACEPARENT } }, results.sink);
    await results.until(({ ended }) => ended === "complete");
    await collector.until((spans) => spans.some(({ name }) => name === "WS /graphql"));
    console.log(JSON.stringify(collector.tree(PARENT.trace), null, 1), ada.id, received.length, postTo.length);
    await socket.dispose();
    const { port } = receiver.address() as AddressInfo;
    console.log(port);
  });
});

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type FixtureServer, openFixtureServer } from "./fixture-server.ts";
import { eventsOf, handshake, type RawAnswer, raw, STATELESS_META, stateless } from "./raw-client.ts";

let server: FixtureServer;
before(async () => {
  server = await openFixtureServer();
});
after(() => server.close());

const own = () => new URL(server.url).origin;
const errorOf = ({ body }: RawAnswer) => JSON.parse(body).error;

describe("the form of requests", () => {
  for (const method of ["GET", "HEAD", "DELETE", "PUT", "PATCH"])
    test(`A03 ${method} is answered 405 with Allow: POST`, async () => {
      const answer = await raw(server.url, { method, headers: { accept: "text/event-stream" } });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.allow, "POST");
      assert.equal(answer.headers["content-type"], "application/json");
    });

  for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
    test(`A03 pages of ${origin} are rejected`, async () => {
      const requests = [stateless("tools/list"), { method: "OPTIONS" }, { method: "GET" }];
      for (const request of requests) {
        const answer = await raw(server.url, { ...request, headers: { ...request.headers, origin } });
        assert.equal(answer.status, 403);
        assert.equal(answer.headers["access-control-allow-origin"], undefined);
        assert.equal(answer.headers.vary, "Origin");
        assert.deepEqual(JSON.parse(answer.body), {
          jsonrpc: "2.0",
          error: { code: -32600, message: "Pages of that origin may not call this server." },
        });
      }
    });

  test("A03 the preflight of our own pages allows these headers, and no others", async () => {
    const answer = await raw(server.url, {
      method: "OPTIONS",
      headers: { origin: own(), "access-control-request-method": "POST" },
    });
    const { date: _, connection: _1, "content-length": _2, "x-request-id": _3, ...headers } = answer.headers;
    assert.deepEqual([answer.status, answer.body], [204, ""]);
    assert.deepEqual(headers, {
      vary: "Origin",
      "access-control-allow-origin": own(),
      "access-control-allow-methods": "POST",
      "access-control-allow-headers":
        "Authorization, Content-Type, DPoP, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Idempotency-Key",
      "access-control-expose-headers": "WWW-Authenticate, DPoP-Nonce, Retry-After",
      "access-control-max-age": "600",
    });
  });

  test("A03 answers to our own pages can be read, errors and streams too", async () => {
    const progress = { name: "test_tool_with_progress", _meta: { ...STATELESS_META, progressToken: 1 } };
    for (const request of [
      stateless("tools/list"),
      stateless("nothing"),
      stateless("tools/call", { name: "fail_scope" }),
      stateless("tools/call", progress),
    ]) {
      const answer = await raw(server.url, { ...request, headers: { ...request.headers, origin: own() } });
      assert.equal(answer.headers["access-control-allow-origin"], own());
      assert.equal(answer.headers["access-control-expose-headers"], "WWW-Authenticate, DPoP-Nonce, Retry-After");
    }
  });

  for (const [headers, status] of [
    [{ "content-type": "application/json; charset=UTF-8" }, 200],
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "application/json; charset=latin1" }, 415],
    [{ "content-type": "" }, 415],
    [{ "content-encoding": "gzip" }, 415],
    [{ "content-encoding": "identity" }, 200],
    [{ accept: "application/json" }, 200],
    [{ accept: "text/html" }, 200],
    [{ "mcp-session-id": "another server's", "last-event-id": "1" }, 200],
  ] as const)
    test(`${JSON.stringify(headers)} is answered ${status}`, async () => {
      const request = stateless("tools/list");
      const answer = await raw(server.url, { ...request, headers: { ...request.headers, ...headers } });
      assert.equal(answer.status, status);
      assert.equal(answer.headers["mcp-session-id"], undefined);
      if (status !== 200) assert.equal(errorOf(answer).code, -32600);
    });

  test("a body over the limit is answered 413, its length told before or not", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { text: "x".repeat(100_000) } });
    const told = await raw(server.url, { body });
    assert.deepEqual([told.status, errorOf(told).message], [413, "The request body is too large."]);
    const untold = await raw(server.url, { body, headers: { "transfer-encoding": "chunked" } });
    assert.equal(untold.status, 413);
  });

  test("a client that goes away in the middle of its body leaves nothing behind", async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write("POST /mcp HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    const answer = await raw(server.url, stateless("tools/list"));
    assert.equal(answer.status, 200);
    assert.deepEqual(server.logged, []);
  });
});

describe("answers", () => {
  test("A02 a stateless result has its type, the server, and how long it may be kept", async () => {
    for (const [method, ttlMs, cacheScope] of [
      ["server/discover", 300_000, "public"],
      ["tools/list", 60_000, "private"],
      ["prompts/list", 300_000, "public"],
      ["resources/templates/list", 300_000, "public"],
      ["resources/list", 0, "private"],
    ]) {
      const { result } = JSON.parse((await raw(server.url, stateless(String(method)))).body);
      const { resultType, _meta } = result;
      assert.deepEqual(
        { resultType, _meta, ttlMs: result.ttlMs, cacheScope: result.cacheScope },
        {
          ...{ resultType: "complete", ttlMs, cacheScope },
          _meta: {
            "io.modelcontextprotocol/serverInfo": { name: "fixture", title: "Fixture", version: "1.0.0" },
          },
        },
      );
    }
    const read = await raw(server.url, stateless("resources/read", { uri: "test://static-text" }));
    const { result } = JSON.parse(read.body);
    assert.deepEqual([result.ttlMs, result.cacheScope], [0, "private"]);
  });

  test("A02 server/discover names the revisions and what the server offers", async () => {
    const { result } = JSON.parse((await raw(server.url, stateless("server/discover"))).body);
    assert.deepEqual(result.supportedVersions, ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]);
    assert.deepEqual(result.capabilities, {
      ...{ tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} },
    });
    assert.match(result.instructions, /fixtures/);
  });

  for (const [asked, agreed] of [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
  ])
    test(`A02 initialize with ${asked} agrees on ${agreed}, without a session`, async () => {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: "test", version: "1" } };
      const { headers, ...request } = handshake("initialize", params);
      for (const sent of [{}, headers ?? {}]) {
        const answer = await raw(server.url, { ...request, headers: sent });
        const { result } = JSON.parse(answer.body);
        assert.equal(result.protocolVersion, agreed);
        assert.equal(answer.headers["mcp-session-id"], undefined);
        assert.deepEqual(result.serverInfo, { name: "fixture", title: "Fixture", version: "1.0.0" });
        assert.equal("resultType" in result, false);
      }
    });

  for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", ""])
    test(`A02 ${version || "no version"}: ping, a list and a call`, async () => {
      assert.equal(
        (await raw(server.url, handshake("ping", {}, { version, id: "p" }))).body,
        '{"jsonrpc":"2.0","id":"p","result":{}}',
      );
      const list = JSON.parse((await raw(server.url, handshake("tools/list", {}, { version }))).body);
      assert.deepEqual(Object.keys(list.result), ["tools"]);
      const call = await raw(server.url, handshake("tools/call", { name: "test_simple_text" }, { version }));
      assert.match(call.body, /simple text response/);
    });

  test("A02 notifications and late answers are accepted without a word", async () => {
    const notification = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const answer = JSON.stringify({ jsonrpc: "2.0", id: "unknown", result: {} });
    for (const [body, version] of [
      [notification, "2025-11-25"],
      [notification, "2026-07-28"],
      [answer, ""],
    ] as const) {
      const accepted = await raw(server.url, { body, headers: { "mcp-protocol-version": version } });
      assert.deepEqual([accepted.status, accepted.body], [202, ""]);
    }
  });

  test("A02 an encoded Mcp-Name counts as what it encodes", async () => {
    const uri = "test://template/ä ö/data";
    const request = stateless("resources/read", { uri });
    const encoded = `=?base64?${Buffer.from(uri).toString("base64")}?=`;
    const answer = await raw(server.url, { ...request, headers: { ...request.headers, "mcp-name": encoded } });
    assert.equal(JSON.parse(answer.body).result.contents[0].uri, uri);
  });

  test("a stream is opened for notifications alone, and only where the client takes one", async () => {
    const params = { name: "test_tool_with_progress", _meta: { ...STATELESS_META, progressToken: "t" } };
    const streamed = await raw(server.url, stateless("tools/call", params));
    assert.equal(streamed.headers["content-type"], "text/event-stream");
    assert.equal(streamed.headers["x-accel-buffering"], "no");
    const events = eventsOf(streamed.body);
    assert.deepEqual(
      events.map(({ method, id }) => method ?? id),
      [...Array(3).fill("notifications/progress"), 1],
    );
    const request = stateless("tools/call", params);
    const plain = await raw(server.url, { ...request, headers: { ...request.headers, accept: "application/json" } });
    assert.equal(plain.headers["content-type"], "application/json");
    assert.equal(JSON.parse(plain.body).result.resultType, "complete");
  });

  test("earlier revisions: a question is a request on the stream, and none without one", async () => {
    const request = handshake("tools/call", { name: "test_elicitation", arguments: { message: "Who?" } });
    const plain = await raw(server.url, { ...request, headers: { ...request.headers, accept: "application/json" } });
    assert.deepEqual([plain.status, errorOf(plain).code], [200, -32600]);
    const streamed = raw(server.url, request);
    // Nobody can guess the id of the question: an answer under another id changes nothing.
    const guess = JSON.stringify({ jsonrpc: "2.0", id: "1", result: { action: "accept", content: {} } });
    assert.equal((await raw(server.url, { body: guess })).status, 202);
    const isPending = await Promise.race([streamed.then(() => false), pause(100, true)]);
    assert.equal(isPending, true);
    await server.close();
    await assert.rejects(streamed);
    server = await openFixtureServer();
  });

  test("an error after the stream has begun goes out on it", async () => {
    const params = { name: "fail_late", _meta: { ...STATELESS_META, progressToken: "t" } };
    const { status, body } = await raw(server.url, stateless("tools/call", params));
    assert.equal(status, 200);
    const [, last] = eventsOf(body);
    assert.deepEqual(last, {
      ...{ jsonrpc: "2.0", id: 1 },
      error: { code: 429, message: "Too many requests.", data: { code: "RATE_LIMITED" } },
    });
  });

  test("the trace context of _meta reaches the service where it is well-formed", async () => {
    const right = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    for (const [traceparent, expected] of [
      [right, right],
      [right.toUpperCase(), null],
      [`00-${"0".repeat(32)}-00f067aa0ba902b7-01`, null],
      [`${right}\nx`, null],
      [7, null],
    ]) {
      const params = { name: "test_trace", _meta: { ...STATELESS_META, traceparent } };
      const { result } = JSON.parse((await raw(server.url, stateless("tools/call", params))).body);
      assert.equal(result.content[0].text, String(expected));
    }
  });
});

describe("batches, which 2025-03-26 alone has", () => {
  const batch = (messages: unknown, version = "2025-03-26") =>
    raw(server.url, { body: JSON.stringify(messages), headers: { "mcp-protocol-version": version } });
  const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };

  test("A02 each request has its answer, in order, and notifications have none", async () => {
    for (const version of ["2025-03-26", ""]) {
      const answer = await batch([ping(1), notification, { ...ping(2), method: "no" }, ping("c"), 7], version);
      assert.equal(answer.status, 200);
      const messages = JSON.parse(answer.body);
      assert.deepEqual(
        messages.map(({ id, error }: { id?: unknown; error?: { code: number } }) => [id, error?.code]),
        [
          [1, undefined],
          [2, -32601],
          ["c", undefined],
          [undefined, -32600],
        ],
      );
    }
  });

  test("A02 one of notifications alone is accepted without a word", async () => {
    const answer = await batch([notification, notification]);
    assert.deepEqual([answer.status, answer.body], [202, ""]);
  });

  test("A02 later revisions, an empty one, a long one and initialize inside are refused", async () => {
    for (const version of ["2025-06-18", "2025-11-25", "2026-07-28"])
      assert.match(errorOf(await batch([ping(1)], version)).message, /Only protocol version 2025-03-26/);
    assert.equal((await batch([])).status, 400);
    assert.equal((await batch(Array.from({ length: 21 }, (_, id) => ping(id)))).status, 400);
    const [answer] = JSON.parse((await batch([{ ...ping(1), method: "initialize" }])).body);
    assert.equal(answer.error.code, -32600);
  });
});

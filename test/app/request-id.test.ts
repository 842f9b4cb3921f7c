import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";

let app: TestApp;
before(async () => {
  app = await openTestApp({ MAX_SUBSCRIPTIONS: "1" });
});
after(() => app?.close());

const ID = /^[\w-]{8,}-[0-9a-z]+$/;

test("every answer has its own X-Request-Id, on each way of answering", async () => {
  const json = { "content-type": "application/json" };
  const query = JSON.stringify({ query: "{ posts { id } }" });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const seen = new Set<string>();
  for (const [path, init, status] of [
    ["/graphql", { method: "POST", headers: json, body: query }, 401], // the fast route
    ["/graphql", { method: "POST", headers: { ...json, origin: "http://localhost:1" }, body: query }, 401], // Fastify
    ["/graphql", { method: "POST", headers: json, body: "x".repeat(2_000_000) }, 413],
    ["/graphql", { method: "POST", headers: { ...json, accept: "text/event-stream" }, body: query }, 401],
    ["/graphql", { headers: { accept: "text/html" } }, 200],
    ["/token", { method: "POST", headers: form, body: "grant_type=x" }, 401], // the token route
    ["/token", { method: "POST", headers: json, body: "{}" }, 400], // the engine behind Fastify
    ["/token", {}, 405],
    ["/authorize?client_id=nobody", {}, 400],
    ["/.well-known/openid-configuration", {}, 200],
    ["/jwks", {}, 200],
    ["/userinfo", {}, 401],
    ["/", {}, 200],
    ["/account", {}, 200],
    ["/logout", {}, 200],
    ["/interaction/x", {}, 400],
    ["/explorer/schema.json", {}, 200],
    ["/livez", {}, 200],
    ["/nowhere", {}, 404],
    ["/%00", {}, 400],
  ] as const) {
    const response = await fetch(app.url + path, init as RequestInit);
    const id = response.headers.get("x-request-id") ?? "";
    assert.equal(response.status, status, path);
    assert.match(id, ID, path);
    assert.ok(!seen.has(id), `${path}: ${id} once`);
    seen.add(id);
  }
});

test("a client's own X-Request-Id is not taken over", async () => {
  for (const path of ["/livez", "/token"]) {
    const response = await fetch(app.url + path, { headers: { "x-request-id": "mine" } });
    assert.match(response.headers.get("x-request-id") ?? "", ID);
  }
});

test("a WebSocket has one, accepted or refused", async () => {
  const { hostname, port } = new URL(app.url);
  const upgrade = async () => {
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /graphql HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
    );
    const [head] = (await once(socket, "data")) as [Buffer];
    return { socket, head: head.toString("latin1") };
  };
  const accepted = await upgrade();
  assert.match(accepted.head, /^HTTP\/1\.1 101 /);
  assert.match(accepted.head, /\r\nX-Request-Id: [\w-]+\r\n/);
  const refused = await upgrade();
  assert.match(refused.head, /^HTTP\/1\.1 503 /);
  assert.match(refused.head, /\r\nX-Request-Id: [\w-]+\r\n/);
  assert.equal(await text(refused.socket), "");
  accepted.socket.destroy();
});

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { openTokenRoute } from "../../src/authorization-server/token-route.ts";
import { openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";

const ORIGIN = new URL(SPA_CALLBACK).origin;

describe("A32 pages of clients read refusals like any other answer", () => {
  let server: TestServer;
  before(async () => {
    server = await openTestServer({
      path: "/auth",
      settings: { REGISTRATION: "open", RATE_LIMIT_OAUTH_CLIENT: { points: 1, seconds: 60 } },
    });
  });
  after(() => server.close());

  const long = "x".repeat(60_000);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const chunked = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(long));
        controller.close();
      },
    });

  const refusals: [string, number, string, () => RequestInit & { duplex?: "half" }][] = [
    ["another method", 405, "/token", () => ({ method: "GET" })],
    ["another method", 405, "/par", () => ({ method: "PUT" })],
    ["another method", 405, "/userinfo", () => ({ method: "DELETE" })],
    ["another method", 405, "/revoke", () => ({ method: "PATCH" })],
    ["another method", 405, "/introspect", () => ({ method: "GET" })],
    ["another method", 405, "/device/auth", () => ({ method: "GET" })],
    ["a long body", 413, "/token", () => ({ method: "POST", headers: form, body: long })],
    [
      "a long body in chunks",
      413,
      "/token",
      () => ({ method: "POST", headers: form, body: chunked(), duplex: "half" }),
    ],
    ["a long body", 413, "/par", () => ({ method: "POST", headers: form, body: long })],
    ["a long body", 413, "/userinfo", () => ({ method: "POST", headers: form, body: long })],
    [
      "a body of another type",
      400,
      "/token",
      () => ({ method: "POST", headers: { "content-type": "a/b" }, body: "x" }),
    ],
    ["an encoded NUL", 400, "/token?x=%00", () => ({ method: "POST", headers: form, body: "x" })],
  ];
  for (const [name, status, path, init] of refusals)
    test(`A32 ${name} at ${path}: ${status}`, async () => {
      const ask = (origin: string) => {
        const { headers, ...rest } = init();
        return fetch(server.issuer + path, { ...rest, headers: { ...headers, origin } } as RequestInit);
      };
      const answer = await ask(ORIGIN);
      assert.equal(answer.status, status, await answer.text());
      assert.equal(answer.headers.get("access-control-allow-origin"), ORIGIN);
      assert.match(answer.headers.get("vary") ?? "", /origin/i);
      const foreign = await ask("https://evil.example.com");
      assert.equal(foreign.status, status);
      assert.equal(foreign.headers.get("access-control-allow-origin"), null);
    });

  test("A32 a client over its limit reads when to come again", async () => {
    const ask = () =>
      fetch(`${server.issuer}/token`, {
        method: "POST",
        headers: { origin: "https://web.example.com" },
        body: new URLSearchParams({
          ...{ grant_type: "refresh_token", refresh_token: "x", client_id: "web" },
          client_secret: "a-secret-that-only-the-server-client-has",
        }),
      });
    await (await ask()).text();
    const answer = await ask();
    assert.equal(answer.status, 429, await answer.text());
    assert.equal(answer.headers.get("access-control-allow-origin"), "https://web.example.com");
    assert.match(answer.headers.get("access-control-expose-headers") ?? "", /Retry-After/);
  });

  test("A32 503 of /token, straight on node:http, is for pages of clients alone", async (t) => {
    const route = openTokenRoute(
      {
        issuer: "http://localhost",
        protocol: () => Promise.reject(new Error("the engine is away")),
        limit: { ofAddress: () => 0, ofClient: () => 0 },
        crossOriginHeaders: server.server.crossOriginHeaders,
        log: { debug() {}, info() {}, warn() {}, error() {} },
      },
      {
        requestId: () => "1",
        clientAddress: () => "127.0.0.1",
        refusal: () => null,
        run: (_path, work) => void work(),
        answered: () => {},
      },
    );
    const http = createServer((request, response) => assert.ok(route(request, response))).listen(0, "127.0.0.1");
    t.after(() => http.close());
    await new Promise((resolve) => http.once("listening", resolve));
    const { port } = http.address() as { port: number };
    const ask = (origin: string) =>
      fetch(`http://127.0.0.1:${port}/token`, {
        method: "POST",
        headers: { origin },
        body: new URLSearchParams("a=b"),
      });
    const answer = await ask(ORIGIN);
    assert.equal(answer.status, 500);
    assert.equal(answer.headers.get("access-control-allow-origin"), ORIGIN);
    assert.equal((await ask("https://evil.example.com")).headers.get("access-control-allow-origin"), null);
  });
});

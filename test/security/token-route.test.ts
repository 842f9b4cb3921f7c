import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { openTokenRoute } from "../../src/authorization-server/token-route.ts";
import { OVERLOADED } from "../../src/http/overload.ts";

test("a request for or about a token that is too much at this moment is refused unread, with 503 as OAuth has it, and counted", async (t) => {
  const isNoFault = () => assert.fail("what is refused on purpose was logged as a fault");
  const counted: unknown[] = [];
  const route = openTokenRoute(
    {
      issuer: "http://localhost",
      protocol: () => assert.fail("the engine was asked"),
      limit: { ofAddress: () => 0, ofClient: () => 0 },
      crossOriginHeaders: async () => ({ "access-control-allow-origin": "https://spa.example.com" }),
      log: { debug() {}, info() {}, warn() {}, error: isNoFault },
    },
    {
      requestId: () => "1",
      clientAddress: () => "127.0.0.1",
      refusal: () => OVERLOADED,
      run: () => assert.fail("something was begun"),
      answered: (path, status) => counted.push(path, status),
    },
  );
  const server = createServer((request, response) => assert.ok(route(request, response))).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  const paths = ["/token", "/token", "/introspect", "/revoke"];
  for (const path of paths) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body });
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get("retry-after"), "5");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("access-control-allow-origin"), "https://spa.example.com");
    assert.deepEqual(await answer.json(), { error: "temporarily_unavailable" });
  }
  assert.deepEqual(
    counted,
    paths.flatMap((path) => [path, 503]),
  );
});

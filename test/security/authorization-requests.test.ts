import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { openTestServer, type TestServer } from "./authorization-server.ts";

const BROWSER = { accept: "text/html" };
let server: TestServer;

before(async () => {
  server = await openTestServer();
});
after(() => server.close());

describe("requests in other forms", () => {
  test("I04 a method that an address does not take → 405 with Allow", async () => {
    for (const [path, allow, wrong] of [
      ["/authorize", "GET, HEAD, POST", ["PUT", "PATCH", "DELETE", "OPTIONS"]],
      ["/authorize/x", "GET, HEAD", ["POST"]],
      ["/token", "POST, OPTIONS", ["GET", "HEAD", "PUT", "DELETE"]],
      ["/userinfo", "GET, HEAD, POST, OPTIONS", ["PUT"]],
      ["/introspect", "POST, OPTIONS", ["GET"]],
      ["/revoke", "POST, OPTIONS", ["GET"]],
      ["/par", "POST, OPTIONS", ["GET"]],
      ["/jwks", "GET, HEAD, OPTIONS", ["POST"]],
      ["/logout", "GET, HEAD, POST", ["DELETE"]],
      ["/logout/confirm", "POST", ["GET"]],
      ["/.well-known/openid-configuration", "GET, HEAD, OPTIONS", ["POST"]],
      ["/interaction/x", "GET, HEAD", ["POST", "DELETE"]],
      ["/interaction/x/sign-in", "POST", ["GET"]],
      ["/setup", "GET, HEAD, POST", ["PUT"]],
      ["/", "GET, HEAD", ["POST"]],
    ] as const) {
      for (const method of wrong) {
        const response = await fetch(server.issuer + path, { method });
        assert.equal(response.status, 405, `${method} ${path}`);
        const allowed = (response.headers.get("allow") ?? "").split(", ");
        assert.deepEqual(allowed.toSorted(), allow.split(", ").toSorted(), `${method} ${path}`);
        assert.equal(response.headers.get("cache-control"), "no-store");
      }
    }
    const forClient = await fetch(`${server.issuer}/token`);
    assert.deepEqual(await forClient.json(), { error: "invalid_request" });
    const forPerson = await fetch(`${server.issuer}/interaction/x/sign-in`, { headers: BROWSER });
    assert.match(await forPerson.text(), /<h1>Nothing to do here<\/h1>/);
    assert.match(forPerson.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  });

  test("I04 an address that is written otherwise is not there", async () => {
    for (const path of [
      "/%61uthorize",
      "/authorize/%3Fclient_id=spa",
      "/.well-known/openid%2Dconfiguration",
      "//jwks",
    ]) {
      assert.equal(await statusOf("GET", path), 404, path);
    }
    assert.equal(await statusOf("POST", "/tok%65n?client_secret=x"), 404);
  });

  test("I03 a body over the limit → 413, as the client's own kind of answer", async () => {
    for (const length of [56 * 1_024 + 1, 65_536, 2_000_000]) {
      const body = new URLSearchParams({ grant_type: "x", client_id: "spa" }).toString();
      const response = await fetch(`${server.issuer}/token`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: body.padEnd(length, "&"),
      });
      assert.equal(response.status, 413, String(length));
      assert.deepEqual(await response.json(), { error: "invalid_request" });
    }
  });
});

/** The path goes out as it is written; `fetch` would tidy it up. */
function statusOf(method: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(server.issuer);
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { openRequestLimit } from "../../src/authorization-server/http/request-limit.ts";
import { ownBuckets } from "../../src/domain/token-bucket.ts";
import { CLIENT_SECRET, openTestServer, SPA_CALLBACK, WEB_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, requestToken } from "./client.ts";

describe("the request limit", () => {
  test("a share fills up evenly; addresses of one network count as one; clocks that go back take nothing away", () => {
    let now = 1_000_000;
    const quota = { points: 3, seconds: 60 };
    const limit = openRequestLimit(
      { RATE_LIMIT_OAUTH_ADDRESS: quota, RATE_LIMIT_OAUTH_CLIENT: null },
      { openBuckets: ownBuckets, now: () => now },
    );
    const take = (address: string) => limit.ofAddress(address);
    assert.deepEqual([take("192.0.2.1"), take("::ffff:192.0.2.1"), take("192.0.2.1")], [0, 0, 0]);
    assert.equal(take("192.0.2.1"), 20);
    assert.equal(take("192.0.2.2"), 0);
    now += 19_000;
    assert.equal(take("192.0.2.1"), 1);
    now += 1_500;
    assert.equal(take("192.0.2.1"), 0);
    now -= 3_600_000;
    assert.equal(take("192.0.2.1") > 0, true);
    now += 21_000;
    assert.equal(take("192.0.2.1"), 0);
    assert.deepEqual(["2001:db8::1", "2001:db8::2", "2001:db8::ffff"].map(take), [0, 0, 0]);
    assert.ok(take("2001:DB8:0:0:9::") > 0);
    assert.equal(limit.ofClient("any"), 0);
  });
});

describe("too many requests", async () => {
  let now = Date.now();
  const server = await openTestServer({
    now: () => now,
    settings: {
      RATE_LIMIT_OAUTH_ADDRESS: { points: 20, seconds: 10 },
      RATE_LIMIT_OAUTH_CLIENT: { points: 5, seconds: 10 },
    },
  });
  after(() => server.close());
  const { issuer } = server;
  const refreshed = { grant_type: "refresh_token", refresh_token: "x" };

  test("of a client that proved who it is: 429 in OAuth's form, by any of its requests, and no other client's", async () => {
    const web = { ...refreshed, client_id: "web", client_secret: CLIENT_SECRET };
    const pushed = authorizationRequest({ issuer, clientId: "web", redirectUri: WEB_CALLBACK }).url.searchParams;
    pushed.set("client_secret", CLIENT_SECRET);
    for (let i = 0; i < 4; i++) assert.equal((await requestToken(issuer, web)).status, 400);
    assert.equal((await fetch(`${issuer}/par`, { method: "POST", body: pushed })).status, 201);
    const answer = await requestToken(issuer, web);
    assert.deepEqual([answer.status, answer.body.error], [429, "temporarily_unavailable"]);
    assert.equal(answer.headers.get("retry-after"), "2");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal((await fetch(`${issuer}/par`, { method: "POST", body: pushed })).status, 429);
    // Whoever knows no more than an id locks nobody out.
    for (let i = 0; i < 6; i++)
      assert.equal((await requestToken(issuer, { ...refreshed, client_id: "spa" })).status, 400);
    now += 10_000;
    assert.equal((await requestToken(issuer, web)).status, 400);
  });

  test("of an address: 429 before anything else is looked at, readable by a client's browser; the rest answers on", async () => {
    now += 10_000;
    const origin = new URL(SPA_CALLBACK).origin;
    const ask = () => requestToken(issuer, { ...refreshed, client_id: "spa" }, { origin });
    for (let i = 0; i < 20; i++) assert.equal((await ask()).status, 400);
    const answer = await ask();
    assert.equal(answer.status, 429);
    assert.equal(answer.body.error, "temporarily_unavailable");
    assert.equal(answer.headers.get("retry-after"), "1");
    assert.equal(answer.headers.get("access-control-allow-origin"), origin);
    const foreign = await requestToken(issuer, refreshed, { origin: "https://evil.example.com" });
    assert.equal(foreign.headers.get("access-control-allow-origin"), null);

    const page = await fetch(authorizationRequest({ issuer, clientId: "spa", redirectUri: SPA_CALLBACK }).url);
    assert.equal(page.status, 429);
    assert.match(await page.text(), /<h1>Too many requests<\/h1>/);
    assert.equal(page.headers.get("retry-after"), "1");
    for (const path of ["/jwks", "/.well-known/openid-configuration", "/"])
      assert.equal((await fetch(issuer + path)).status, 200, path);
    now += 1_000;
    assert.equal((await ask()).status, 400);
  });
});

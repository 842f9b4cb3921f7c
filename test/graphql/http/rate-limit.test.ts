import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ownBuckets } from "../../../src/domain/token-bucket.ts";
import { RateLimiter } from "../../../src/graphql/http/rate-limit.ts";
import { openTestServer, TOKEN } from "../server.ts";

function open(token: number, address = 1_000) {
  let now = 1_000_000;
  const server = openTestServer({
    settings: {
      RATE_LIMIT_TOKEN: { points: token, seconds: 10 },
      RATE_LIMIT_ADDRESS: { points: address, seconds: 10 },
    },
    now: () => now,
  });
  const posts = (first: number, from = "192.0.2.1") =>
    server.send({
      body: { query: "query ($first: Int) { posts(first: $first) { id } }", variables: { first } },
      address: from,
    });
  const wait = (seconds: number) => {
    now += seconds * 1_000;
  };
  return { server, posts, wait };
}

describe("rate limit", () => {
  test("the meter of a token is found by the field, in any of its forms and after others", () => {
    const quota = { points: 10, seconds: 10 };
    const limiter = new RateLimiter({ token: quota, address: quota, openBuckets: ownBuckets, now: () => 0 });
    const meter = limiter.token("Bearer one");
    const other = limiter.token("Bearer two");
    assert.notEqual(meter, other);
    for (const field of ["Bearer one", "Bearer one", "bearer   one", "DPoP one", "Bearer one "])
      assert.equal(limiter.token(field), meter, field);
    assert.equal(limiter.token("Bearer two "), other);
  });

  test("every answer tells the policy and what is left", async () => {
    const { server, posts } = open(100);
    const answer = await posts(30);
    assert.equal(
      answer.headers["ratelimit-policy"],
      '"token";q=100;w=10;qu="points", "address";q=1000;w=10;qu="points"',
    );
    assert.equal(answer.headers.ratelimit, '"token";r=70;t=3, "address";r=970;t=1');
    for (const other of [
      await server.query("{"),
      await server.send({ method: "PUT", address: "192.0.2.1" }),
      await server.send({ headers: { authorization: "Bearer bad" }, body: {}, address: "192.0.2.1" }),
      await server.send({ headers: { "content-type": "text/plain" }, body: {}, address: "192.0.2.1" }),
    ]) {
      assert.ok(other.headers.ratelimit, String(other.status));
      assert.ok(other.headers["ratelimit-policy"]);
    }
  });

  test("the field says what is left after its document, by aliases too", async () => {
    const { server, posts } = open(100);
    await posts(30);
    const ask = (query: string, more: object = {}) => server.send({ body: { query }, address: "192.0.2.1", ...more });
    const { json } = await ask(
      "{ all: rateLimit { is: __typename limit left: remaining resetAt cost } posts(first: 20) { id } }",
    );
    assert.deepEqual(Object.keys(json.data), ["all", "posts"]);
    assert.deepEqual(json.data.all, {
      is: "RateLimit",
      limit: 100,
      left: 50,
      resetAt: new Date(1_000_000 + 5_000).toISOString(),
      cost: 20,
    });
  });

  test("a token has one bucket, however its scheme is written", async () => {
    const { server, posts } = open(100);
    assert.equal((await posts(60)).status, 200);
    for (const scheme of ["bearer ", "BEARER ", "Bearer   "]) {
      const { status } = await server.send({
        headers: { authorization: `${scheme}ada` },
        body: { query: "{ posts(first: 60) { id } }" },
        address: "192.0.2.1",
      });
      assert.equal(status, 429, scheme);
    }
  });

  test("who has used up the points waits until they have come back", async () => {
    const { server, posts, wait } = open(100);
    assert.equal((await posts(60)).status, 200);
    const ran = server.store.statements;
    const refused = await posts(60);
    assert.equal(refused.status, 429);
    assert.equal(refused.json.errors[0].extensions.code, "RATE_LIMITED");
    assert.equal(refused.headers["retry-after"], "2");
    assert.equal(server.store.statements, ran);
    assert.equal((await posts(40)).status, 200, "what is refused takes nothing");
    wait(5.9);
    assert.equal((await posts(60)).status, 429);
    wait(0.1);
    assert.equal((await posts(60)).status, 200);
    wait(1_000);
    assert.match((await posts(0)).headers.ratelimit ?? "", /"token";r=99;/);
  });

  test("a request without a cost takes one point, a failed one takes one from the address", async () => {
    const { server, posts } = open(10);
    await posts(0);
    await server.send({ body: { query: "{ nope }" }, address: "192.0.2.1" });
    assert.equal((await posts(0)).headers.ratelimit, '"token";r=8;t=2, "address";r=997;t=1');
  });

  test("an address pays for all of its tokens; an IPv6 network of 64 bits is one address", async () => {
    const { server } = open(1_000, 100);
    const from = (address: string, token = TOKEN) =>
      server.send({ headers: { authorization: token }, body: { query: "{ posts(first: 60) { id } }" }, address });
    assert.equal((await from("2001:db8::1")).status, 200);
    assert.equal((await from("2001:db8:0:0:ffff::1")).status, 429);
    assert.equal((await from("2001:db8:0:1::1")).status, 200);
    assert.equal((await from("192.0.2.1")).status, 200);
    assert.equal((await from("192.0.2.2")).status, 200);
    assert.equal((await from("::ffff:192.0.2.3")).status, 200);
    assert.equal((await from("::ffff:192.0.2.4")).status, 200);
  });

  test("guesses at tokens cost the address", async () => {
    const { server } = open(1_000, 3);
    const guess = () =>
      server.send({ headers: { authorization: `Bearer ${Math.random()}` }, body: {}, address: "192.0.2.1" });
    for (let i = 0; i < 5; i++) assert.equal((await guess()).status, i < 3 ? 401 : 429);
  });
});

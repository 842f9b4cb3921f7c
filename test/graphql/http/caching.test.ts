import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { describe, test } from "node:test";
import { PUBLIC_SCOPES } from "../../../src/domain/scopes.ts";
import type { Viewer } from "../../../src/domain/viewer.ts";
import { ADA, type Answer, ada, openTestServer, TOKEN } from "../server.ts";

describe("conditional GET", () => {
  const server = openTestServer();
  const url = `/graphql?${new URLSearchParams({ query: "{ posts { title } }" })}`;
  const get = (headers = {}, address = url) => server.send({ method: "GET", url: address, body: null, headers });

  test("an answer has a tag, and is not sent again to who has it", async () => {
    const first = await get();
    const { etag } = first.headers;
    assert.ok(etag?.startsWith('"'));
    assert.equal(first.headers["cache-control"], "private, no-cache");
    assert.equal(first.headers.vary, "Accept, Authorization, GraphQL-Cost");
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await get({ "if-none-match": tags });
      assert.equal(again.status, 304);
      assert.equal(again.body, "");
      assert.equal(again.headers.etag, etag);
      assert.equal(again.headers["content-type"], undefined);
    }
  });

  test("another answer has another tag", async () => {
    const { etag } = (await get()).headers;
    await server.query('mutation { createPost(input: {title: "new", body: ""}) { id } }');
    const changed = await get({ "if-none-match": etag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.etag, etag);
  });

  test("answers by POST and answers with errors are not kept", async () => {
    const bad = await get({}, "/graphql?query={nope}");
    const posted = await server.query("{ posts { title } }");
    server.store.failure = new Error("boom");
    const failed = await get({}, `/graphql?${new URLSearchParams({ query: `{ user(id: "${ADA}") { name } }` })}`);
    for (const { headers } of [bad, posted, failed]) {
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers.etag, undefined);
    }
  });
});

const NOBODY: Viewer = { userId: null, role: null, clientId: null, scopes: new Set(PUBLIC_SCOPES) };

/** As with PUBLIC_READ, and with a rate limit. */
function openPublic(publicMaxAge: number) {
  const quota = { points: 100_000, seconds: 60 };
  const server = openTestServer({
    settings: { PUBLIC_MAX_AGE: publicMaxAge, RATE_LIMIT_TOKEN: quota, RATE_LIMIT_ADDRESS: quota },
    authenticate: ({ headers }) => (headers.authorization === undefined ? NOBODY : ada),
  });
  const get = (query: string, headers: IncomingHttpHeaders = {}, more = {}) => {
    const url = `/graphql?${new URLSearchParams({ query, ...more })}`;
    return server.send({ method: "GET", url, body: null, address: "192.0.2.1", headers: { ...ANONYMOUS, ...headers } });
  };
  return { ...server, get };
}

const ANONYMOUS = { authorization: undefined, "content-type": undefined };

describe("answers that shared caches may keep", () => {
  const server = openPublic(30);
  const { get } = server;
  const isPublic = ({ headers }: Answer) => /public/.test(headers["cache-control"] ?? "");

  test("are those to GET without a token; browsers ask each time", async () => {
    const { status, headers } = await get("{ posts { title } }");
    assert.equal(status, 200);
    assert.equal(headers["cache-control"], "public, max-age=0, s-maxage=30");
    assert.equal(headers.vary, "Accept, Authorization, GraphQL-Cost");
    assert.equal(headers["surrogate-key"], "posts posts:reached");
    assert.equal(headers["cache-tag"], "posts,posts:reached");
    const again = await get("{ posts { title } }", { "if-none-match": headers.etag });
    assert.equal(again.status, 304);
    const { "content-type": _type, ...kept } = headers;
    assert.deepEqual(again.headers, kept, "a cache takes over what a 304 says");
    assert.equal((await openPublic(0).get("{ posts { title } }")).headers["cache-control"], "public, no-cache");
    const own = await openPublic(30).get("{ posts { title } rateLimit { remaining } }");
    assert.ok(own.json.data.rateLimit.remaining < 100_000);
    assert.equal(own.headers["cache-control"], "private, no-cache");
  });

  test("say nothing of who asked first", async () => {
    const kept = await get("{ posts { title } }");
    const again = await get("{ posts { title } }", { "if-none-match": kept.headers.etag });
    const own = await get("{ posts { title } }", { authorization: TOKEN });
    for (const { headers } of [kept, again])
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith("ratelimit")),
        [],
      );
    assert.match(own.headers.ratelimit ?? "", /"token"/);
  });

  test("are no others: with a token, by POST, with errors, with the cost, as a stream, not found", async () => {
    assert.equal(isPublic(await get("{ posts { title } }")), true);
    const token = await get("{ posts { title } }", { authorization: TOKEN });
    assert.equal(token.headers["cache-control"], "private, no-cache");
    const cost = await get("{ posts { title } }", { "graphql-cost": "1" });
    assert.equal(cost.headers["cache-control"], "private, no-cache");
    assert.equal(cost.json.extensions.cost, 100);
    const posted = await server.send({ body: { query: "{ posts { title } }" }, headers: { authorization: undefined } });
    const url = `/graphql?${new URLSearchParams({ query: "{ posts { title } }" })}`;
    const streamed = await server.send({ method: "GET", url, headers: ANONYMOUS, streams: true });
    const hash = "0".repeat(64);
    const unknown = await get("", {}, { extensions: `{"persistedQuery":{"version":1,"sha256Hash":"${hash}"}}` });
    const refused = [await get("{ nope }"), await get("{ users { email } }"), unknown];
    server.store.failure = new Error("boom");
    const failed = await get(`{ user(id: "${ADA}") { name } }`);
    server.store.failure = null;
    assert.equal(failed.status, 200, "null, and an error");
    for (const answer of [token, cost, posted, streamed, failed, ...refused]) {
      assert.equal(isPublic(answer), false);
      assert.equal(answer.headers["surrogate-key"], undefined);
      assert.equal(answer.headers["cache-tag"], undefined);
    }
    for (const answer of [posted, failed, ...refused]) assert.equal(answer.headers["cache-control"], "no-store");
  });

  const POST = "01990000-0000-7000-8000-000000000000";
  const keysOf = async (query: string, more = {}) => {
    const { status, headers, body } = await get(query, {}, more);
    assert.equal(status, 200, body);
    return headers["surrogate-key"]?.split(" ").sort().join(" ");
  };
  const cases: readonly [query: string, keys: string | undefined][] = [
    [`{ user(id: "${ADA}") { name } }`, `user:${ADA} users`],
    [`{ post(id: "${POST}") { title } }`, `post:${POST} posts`],
    [`{ post(id: "${POST}") { author { name } } }`, `post:${POST} posts users users:reached`],
    [`{ user(id: "${ADA}") { posts { title } } }`, `posts posts:reached user:${ADA} users`],
    [`{ user(id: "${ADA}") { postsConnection { totalCount } } }`, `posts posts:reached user:${ADA} users`],
    ["{ users(first: 1) { id } }", "users users:reached"],
    ["{ usersConnection { pageInfo { endCursor } } }", "users users:reached"],
    ["{ posts(first: 0) { id } }", "posts posts:reached"],
    [
      "{ postsConnection(first: 2) { edges { node { author { postsConnection(first: 2) { nodes { author { id } } } } } } } }",
      "posts posts:reached users users:reached",
    ],
    ["{ postsConnection { nodes { author { id } } } }", "posts posts:reached users users:reached"],
    [`{ node(id: "${POST}") { id } }`, `post:${POST} posts user:${POST} users`],
    [
      `{ nodes(ids: ["${POST}", "nobody", "${ADA}", "${ADA}"]) { id } }`,
      `post:${ADA} post:${POST} posts user:${ADA} user:${POST} users`,
    ],
    [`{ a: user(id: "${ADA}") { id } b: user(id: "${ADA}") { name } }`, `user:${ADA} users`],
    [`{ user(id: "nobody a\\nb: c") { id } }`, "users"],
    ["{ viewer { name } }", "users"],
    ["{ __schema { queryType { name } } }", "schema"],
    ["{ __typename }", undefined],
    [`query ($x: Boolean = false) { users { id } posts @include(if: $x) { id } }`, "users users:reached"],
  ];
  for (const [query, keys] of cases)
    test(`keys of ${query}`, async () => {
      assert.equal(await keysOf(query), keys);
      assert.equal(await keysOf(query), keys, "the plan is remembered");
    });

  test("keys come from variables, each request its own", async () => {
    const query = "query ($id: ID!) { post(id: $id) { title } }";
    for (const id of [POST, ADA])
      assert.equal(await keysOf(query, { variables: JSON.stringify({ id }) }), `post:${id} posts`);
  });

  test("keys are bounded: very many objects are as lists are", async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `01990000-0000-7000-8000-${String(index).padStart(12, "0")}`);
    const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }";
    assert.equal(
      await keysOf(query, { variables: JSON.stringify({ ids }) }),
      "posts posts:reached users users:reached",
    );
    const few = await keysOf(query, { variables: JSON.stringify({ ids: ids.slice(0, 10) }) });
    assert.equal(few?.split(" ").length, 22);
    assert.ok((few?.length ?? 0) < 1_000);
  });
});

describe("variants of one document", () => {
  test("are kept apart by what is skipped, and each value is bound anew", async () => {
    const server = openTestServer();
    const query =
      "query ($id: ID!, $a: Boolean!, $b: Boolean = true) { user(id: $id) { id @skip(if: $a) name @include(if: $b) ...f @include(if: $a) } } fragment f on User { email }";
    const answers = new Set<string>();
    for (const variables of [{ a: true }, { a: false }, { a: true, b: false }, { a: false, b: false }]) {
      const first = await server.query(query, { id: ADA, ...variables });
      const again = await server.query(query, { id: ADA, ...variables });
      assert.equal(first.body, again.body);
      answers.add(first.body);
      assert.equal((await server.query(query, { id: "nobody", ...variables })).body, '{"data":{"user":null}}');
    }
    assert.equal(answers.size, 4);
    const refused = await server.query(query, { id: ADA, a: true, b: null });
    assert.equal(refused.json.errors[0].extensions.code, "BAD_USER_INPUT");
  });

  test("a name chooses among operations of the same text", async () => {
    const server = openTestServer();
    const query =
      'query a { x: __typename } query b { y: posts(first: 0) { id } } mutation c { createPost(input: {title: "c", body: ""}) { title } }';
    const answer = async (operationName: string) => (await server.send({ body: { query, operationName } })).body;
    for (let round = 0; round < 2; round++) {
      assert.equal(await answer("a"), '{"data":{"x":"Query"}}');
      assert.equal(await answer("b"), '{"data":{"y":[]}}');
      assert.equal(await answer("c"), '{"data":{"createPost":{"title":"c"}}}');
    }
  });
});

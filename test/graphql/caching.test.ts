import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ADA, openTestServer } from "./server.ts";

describe("conditional GET", () => {
  const server = openTestServer();
  const url = `/graphql?${new URLSearchParams({ query: "{ posts { title } }" })}`;
  const get = (headers = {}, address = url) => server.send({ method: "GET", url: address, body: null, headers });

  test("an answer has a tag, and is not sent again to who has it", async () => {
    const first = await get();
    const { etag } = first.headers;
    assert.ok(etag?.startsWith('"'));
    assert.equal(first.headers["cache-control"], "private, no-cache");
    assert.equal(first.headers.vary, "Accept, Authorization");
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

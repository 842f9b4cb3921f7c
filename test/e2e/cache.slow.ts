import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "graphql-sse";
import { install } from "../faults/installation.ts";
import { freePort } from "../port.ts";
import { lacksProxy, startProxy } from "../proxies.ts";
import { openWebSocketClient, Results } from "../subscriber.ts";

const ORIGIN = "https://app.example.com";
/** Seconds. */
const MAX_AGE = 3;

test("nginx keeps what anybody may read, as its example has it", {
  skip: lacksProxy("nginx"),
  timeout: 120_000,
}, async (t) => {
  const port = await freePort();
  const installation = await install(
    t,
    {},
    {
      HOST: "127.0.0.1",
      BASE_URL: `https://localhost:${port}`,
      TRUST_PROXY: "127.0.0.1",
      PUBLIC_READ: "true",
      PUBLIC_MAX_AGE: String(MAX_AGE),
      CORS_ORIGINS: ORIGIN,
      RATE_LIMIT_TOKEN: "600000/60",
      RATE_LIMIT_ADDRESS: "600000/60",
    },
  );
  await installation.start();
  const node = Number(installation.environment.PORT);
  const proxy = await startProxy("nginx", port, [node, node], "nginx-cache.conf");
  t.after(() => proxy.stop());
  const authorization = `Bearer ${installation.token}`;

  const get = async (query: string, headers: Record<string, string> = {}) => {
    const address = `${proxy.url}/graphql?${new URLSearchParams({ query })}`;
    const accept = "application/graphql-response+json";
    const answer = await fetch(address, { headers: { accept, ...headers }, signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    const { status, headers: told } = answer;
    return { status, headers: told, cache: told.get("x-cache-status"), text };
  };
  const mutate = async (query: string) => {
    const answer = await fetch(`${proxy.url}/graphql`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", accept: "application/graphql-response+json" },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await answer.json()) as { data: Record<string, { id: string }>; errors?: unknown };
    assert.equal(errors, undefined);
    assert.equal(answer.headers.get("x-cache-status"), null, "a POST never meets the cache");
    return Object.values(data)[0]?.id ?? "";
  };
  /** Asks until the answer comes from the cache, or until it does not. */
  const until = async (fromCache: boolean, query: string, headers: Record<string, string> = {}) => {
    for (;;) {
      const answer = await get(query, headers);
      if ((answer.cache === "HIT") === fromCache) return answer;
      if (!fromCache) await pause(50);
    }
  };

  const published = await mutate('mutation { createPost(input: { title: "before", body: "" }) { id } }');
  const draft = await mutate('mutation { createPost(input: { title: "secret", body: "", status: DRAFT }) { id } }');
  const list = "{ posts { id title } }";

  await t.test("it answers by itself, then asks by the ETag, and shows a change when the time is over", async () => {
    const first = await get(list);
    assert.equal(first.cache, "MISS");
    const kept = await until(true, list);
    assert.equal(kept.text, first.text);
    assert.match(kept.text, /before/);
    assert.equal(kept.headers.get("cache-control"), `public, max-age=0, s-maxage=${MAX_AGE}`);
    assert.equal(kept.headers.get("surrogate-key"), "posts posts:reached");
    assert.equal(kept.headers.get("ratelimit"), null, "nothing of who asked first");
    const again = await until(false, list);
    assert.equal(again.cache, "REVALIDATED");
    assert.equal(again.text, first.text);
    await until(true, list);
    await mutate(`mutation { updatePost(id: "${published}", input: { title: "after" }) { post { id } } }`);
    const changed = await until(false, list);
    assert.equal(changed.cache, "EXPIRED");
    assert.match(changed.text, /after/);
    assert.equal((await until(true, list)).text, changed.text);
  });

  await t.test("who has the answer is told by the cache that it is right", async () => {
    const { headers } = await until(true, list);
    const again = await until(true, list, { "if-none-match": headers.get("etag") ?? "" });
    assert.equal(again.status, 304);
    assert.equal(again.text, "");
  });

  await t.test("a token is never answered from the cache, and its answer is not kept", async () => {
    const drafts = "{ posts(filter: { status: [DRAFT] }) { id } }";
    const empty = '{"data":{"posts":[]}}';
    assert.equal((await until(true, drafts)).text, empty);
    for (let round = 0; round < 3; round++) {
      const own = await get(drafts, { authorization });
      assert.equal(own.cache, "BYPASS");
      assert.equal(own.headers.get("cache-control"), "private, no-cache");
      assert.match(own.text, new RegExp(draft));
      assert.match(own.headers.get("ratelimit") ?? "", /"token"/);
      assert.equal((await get(drafts)).text, empty);
      for (const bad of ["Bearer nobody-gave-this", "0"]) {
        const { status, cache } = await get(drafts, { authorization: bad });
        assert.deepEqual([status, cache], [401, "BYPASS"]);
      }
    }
    const unasked = `{ posts(filter: { status: [DRAFT] }) { title } }`;
    assert.match((await get(unasked, { authorization })).text, /secret/);
    assert.equal((await get(unasked)).text, empty);
  });

  await t.test("errors are not kept", async () => {
    for (const [query, status] of [
      ["{ nope }", 400],
      ["{ users { email } }", 401],
      ["{ posts(first: 101) { id } }", 400],
    ] as const)
      for (let round = 0; round < 3; round++) {
        const answer = await get(query);
        assert.deepEqual([answer.status, answer.cache], [status, "MISS"], query);
        assert.equal(answer.headers.get("cache-control"), "no-store");
      }
  });

  await t.test("origin, type and cost are told apart", async () => {
    const plain = await until(true, list);
    assert.equal(plain.headers.get("access-control-allow-origin"), null);
    const script = await until(true, list, { origin: ORIGIN });
    assert.equal(script.headers.get("access-control-allow-origin"), ORIGIN);
    const foreign = await until(true, list, { origin: "https://other.example.com" });
    assert.equal(foreign.headers.get("access-control-allow-origin"), null);
    const older = await until(true, list, { accept: "application/json" });
    assert.match(older.headers.get("content-type") ?? "", /^application\/json/);
    assert.match(plain.headers.get("content-type") ?? "", /^application\/graphql-response\+json/);
    for (let round = 0; round < 3; round++) {
      const costed = await get(list, { "graphql-cost": "1" });
      assert.match(costed.text, /"extensions":\{"cost":100\}/);
      assert.notEqual(costed.cache, "HIT");
    }
    assert.equal((await until(true, list)).text, plain.text);
  });

  await t.test("subscriptions pass through as they come", async () => {
    const client = await openWebSocketClient(proxy.url, installation.token);
    const streams = createClient({ url: `${proxy.url}/graphql`, headers: { authorization } });
    const [socket, stream] = [new Results(), new Results()];
    const subscription = { query: "subscription { postEvents { post { title } } }" };
    client.subscribe(subscription, socket.sink);
    for await (const _ of client.iterate({ query: "{ __typename }" })); // by then it is there
    const connected = Promise.withResolvers<void>();
    streams.subscribe(subscription, stream.sink, { connected: () => connected.resolve() });
    await connected.promise;
    await mutate('mutation { createPost(input: { title: "told", body: "" }) { id } }');
    await Promise.all([socket.untilCount(1), stream.untilCount(1)]);
    for (const { events } of [socket, stream]) assert.equal(events[0].post.title, "told");
    streams.dispose();
    await client.dispose();
  });
});

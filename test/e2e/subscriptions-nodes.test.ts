import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { createClient as createEventStreamClient } from "graphql-sse";
import { openTestApp, type TestApp } from "../app.ts";
import { openPostgres } from "../postgres.ts";
import {
  addClient,
  addPerson,
  createToken,
  openWebSocketClient,
  postTo,
  Results,
  untilSubscribed,
} from "../subscriber.ts";
import { livedTime } from "../timing.ts";

const QUERY = "subscription ($after: ID) { postEvents(after: $after) { id post { title } } }";

const server = await openPostgres();

describe("subscriptions on two nodes", { timeout: 120_000 }, () => {
  let near: TestApp;
  let far: TestApp;
  let token: string;

  before(async () => {
    const settings = {
      DATABASE_URL: await server.createDatabase(),
      SECRET_KEY: randomBytes(32).toString("base64url"),
      LOG_LEVEL: "silent",
    };
    near = await openTestApp(settings);
    far = await openTestApp(settings);
    await addPerson(near.environment, "ada@example.com");
    const client = await addClient(near.environment);
    token = await createToken(near.environment, { user: "ada@example.com", client });
  });
  after(() => Promise.all([near.close(), far.close()]));

  const create = (app: TestApp, title: string) =>
    postTo(app.url, token, `mutation { createPost(input: { title: "${title}", body: "" }) { id } }`);
  const titles = (results: Results) => results.events.map(({ post }) => post.title);

  test("what is written at one is told at the other within a second, in one order", async () => {
    const [here, there] = [new Results(), new Results()];
    const clients = await Promise.all([openWebSocketClient(near.url, token), openWebSocketClient(far.url, token)]);
    for (const [index, results] of [here, there].entries()) clients[index]?.subscribe({ query: QUERY }, results.sink);
    await Promise.all(clients.map(untilSubscribed));
    const began = livedTime();
    await create(near, "first");
    await there.untilCount(1);
    assert.ok(livedTime() - began < 2_000, `${livedTime() - began} ms`);
    await Promise.all(Array.from({ length: 20 }, (_, index) => create(index % 2 ? near : far, `post ${index}`)));
    await Promise.all([here.untilCount(21), there.untilCount(21)]);
    assert.deepEqual(titles(here), titles(there));
    assert.equal(new Set(titles(here)).size, 21);
    for (const client of clients) await client.dispose();
  });

  test("a node that stops sends its subscribers away; they come again elsewhere, and miss nothing", async () => {
    const leaving = await openTestApp({ ...withoutPort(near), LOG_LEVEL: "silent" });
    const addresses = [leaving.url, near.url];
    const results = new Results();
    const closes: number[] = [];
    const client = await openWebSocketClient(leaving.url, token, {
      url: () => `${addresses[0]?.replace("http", "ws")}/graphql`,
      retryAttempts: 5,
      retryWait: async () => {},
      on: { closed: (event) => closes.push((event as { code: number }).code) },
    });
    const last = () => results.events.at(-1)?.id;
    const follow = () => client.iterate({ query: QUERY, variables: { after: last() } });
    const reading = (async () => {
      for await (const result of client.iterate({ query: QUERY })) {
        results.next(result);
        if (results.all.length === 1) break;
      }
      for await (const result of follow()) results.next(result);
    })();
    await untilSubscribed(client);

    const streamed = new Results();
    const connected = Promise.withResolvers<void>();
    let after: string | undefined;
    const streams = createEventStreamClient({
      url: () => `${addresses[0]}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      retryAttempts: 5,
      retry: async () => {},
      onMessage: ({ event, data }) => {
        if (event === "next") after = (data as unknown as { data: { postEvents: { id: string } } }).data.postEvents.id;
      },
    });
    const variables = {
      get after() {
        return after;
      },
    };
    streams.subscribe({ query: QUERY, variables }, streamed.sink, { connected: () => connected.resolve() });
    await connected.promise;

    await create(near, "before");
    await Promise.all([results.untilCount(1), streamed.untilCount(1)]);
    addresses.shift();
    const closed = leaving.close();
    await create(near, "meanwhile");
    await closed;
    await create(near, "after");
    await Promise.all([results.untilCount(3), streamed.untilCount(3)]);
    assert.deepEqual(titles(results), ["before", "meanwhile", "after"]);
    assert.deepEqual(titles(streamed), ["before", "meanwhile", "after"]);
    assert.equal(closes[0], 1001);
    streams.dispose();
    await client.dispose();
    await reading;
  });
});

function withoutPort({ environment: { PORT: _, ...rest } }: TestApp): Record<string, string> {
  return rest;
}

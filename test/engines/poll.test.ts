import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Change } from "../../src/domain/change.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { USUAL_ENGINE } from "../../src/storage/postgres/engine.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
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
import { NOTIFY_REFUSED } from "./profiles.ts";
import { type EngineProxy, openEngineProxy } from "./proxy.ts";

const server = await openPostgres();

describe("E04 two nodes without LISTEN and NOTIFY", { timeout: 120_000 }, () => {
  const nodes: TestApp[] = [];
  let proxy: EngineProxy;
  let url: string;
  let token: string;

  before(async () => {
    url = await server.createDatabase();
    proxy = await openEngineProxy(server.url, NOTIFY_REFUSED);
    const settings = {
      DATABASE_URL: proxy.through(url),
      DATABASE_NOTIFY: "poll",
      SECRET_KEY: randomBytes(32).toString("base64url"),
      LOG_LEVEL: "silent",
    };
    for (let i = 0; i < 2; i++) nodes.push(await openTestApp(settings));
    const [near] = nodes as [TestApp];
    await addPerson(near.environment, "ada@example.com");
    const client = await addClient(near.environment);
    token = await createToken(near.environment, { user: "ada@example.com", client });
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await proxy.close();
  });

  test("E04 a subscriber at one node has what is written at the other within a second", async (t) => {
    const [near, far] = nodes as [TestApp, TestApp];
    const results = new Results();
    const client = await openWebSocketClient(far.url, token);
    client.subscribe({ query: "subscription { postEvents { id post { title } } }" }, results.sink);
    await untilSubscribed(client);
    const delays: number[] = [];
    for (let turn = 1; turn <= 20; turn++) {
      await postTo(near.url, token, `mutation { createPost(input: { title: "${turn}", body: "" }) { id } }`);
      const began = livedTime();
      await results.untilCount(turn);
      delays.push(livedTime() - began);
    }
    const sorted = delays.toSorted((a, b) => a - b).map(Math.round);
    t.diagnostic(`E04 delays of 20 events: median ${sorted[10]} ms, longest ${sorted.at(-1)} ms`);
    assert.ok((sorted[18] ?? Number.NaN) <= 1_000, `delays: ${sorted}`);
    assert.equal((await sqlOn(url, LISTENERS)).length, 0);
    await client.dispose();
  });

  test("E04 a token that one node revokes is rejected by the other within a second", async () => {
    const [near, far] = nodes as [TestApp, TestApp];
    const another = await createToken(near.environment, {
      user: "ada@example.com",
      client: await addClient(near.environment),
    });
    const status = async () => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${another}` };
      const body = JSON.stringify({ query: "{ posts(first: 1) { id } }" });
      return (await fetch(`${far.url}/graphql`, { method: "POST", headers, body })).status;
    };
    assert.equal(await status(), 200);
    const store = await openStore(url); // as a third process
    await store.artifacts.destroy("AccessToken", hashToken(another));
    const began = livedTime();
    while ((await status()) === 200) assert.ok(livedTime() - began < 1_500, "the token still opens the door");
    await store.close();
  });
});

describe("E04 a listening connection that died without a sign", () => {
  test("E04 it is replaced within 30 seconds, and changes are told by their ids again", async (t) => {
    const url = await server.createDatabase();
    const proxy = await openEngineProxy(server.url, {});
    t.after(() => proxy.close());
    const engine = { ...USUAL_ENGINE, DATABASE_LISTEN_URL: proxy.through(url) };
    const [here, there] = [await openStore(url, { engine }), await openStore(url)];
    const told: Change[] = [];
    here.watch(["user"], (change) => void told.push(change));
    const isTold = async () => {
      told.length = 0;
      await there.artifacts.revokeUser("somebody" as never);
      await pause(300);
      return told.some(({ id }) => id === "somebody");
    };
    const within = async (limit: number) => {
      const began = livedTime();
      while (!(await isTold())) assert.ok(livedTime() - began < limit, `not told for ${limit} ms`);
      return livedTime() - began;
    };
    await within(5_000);
    const [before] = await sqlOn<{ pid: number }>(url, LISTENERS);
    proxy.freeze();
    assert.equal(await isTold(), false);
    const took = await within(30_000);
    const pids = (await sqlOn<{ pid: number }>(url, LISTENERS)).map(({ pid }) => pid);
    assert.ok(pids.some((pid) => pid !== before?.pid));
    t.diagnostic(`E04 a dead listening connection was replaced after ${Math.round(took)} ms`);
    await Promise.all([here.close(), there.close()]);
  });
});

const LISTENERS =
  "select pid from pg_stat_activity where application_name = 'content-api changes' and datname = current_database()";

import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";
import { sqlOn, startPostgres } from "../postgres.ts";
import { count } from "./counts.ts";
import { History } from "./history.ts";
import { type Installation, install, readPostgres, untilReady } from "./installation.ts";
import { judge } from "./judge.ts";
import { childrenOf, signalAll } from "./machine.ts";
import { send, startWriters, writePost } from "./writers.ts";

/** Milliseconds in which the program is ready again after the database is. */
const READY = 10_000;
/** Milliseconds in which every request has its answer, whatever the database does: see docs/operations.md. */
const PATIENCE = 12_000;
/** By this name the program's connections are told from the test's own. */
const OTHERS = "others";

const postgres = await startPostgres({ durable: true });
after(() => postgres.stop());

describe("PostgreSQL fails", () => {
  for (const [signal, name] of [
    ["SIGINT", "fast"],
    ["SIGQUIT", "immediate"],
    ["SIGKILL", "kill −9"],
  ] as const) {
    test(`F09 restarted (${name}) under load: nothing lost, ready within 10 s, the process alive`, async (t) => {
      const times = count(7, 1);
      const installation = await install(t, { url: await postgres.createDatabase() });
      const server = await installation.start();
      const history = new History();
      const writers = startWriters(history, () => installation, { writers: 16 });
      let slowest = 0;
      for (let restart = 0; restart < times; restart++) {
        await writers.acknowledge(50, READY);
        await pause(Math.random() * 300);
        await postgres.kill(signal);
        await pause(200);
        await postgres.start();
        slowest = Math.max(slowest, await untilReady(installation.url, READY));
        await writers.acknowledge(1, READY);
      }
      await writers.stop();
      const summary = await judge(history, installation);
      assert.equal(await server.stop(), 0);
      t.diagnostic(`F09 ${times} restarts (${name}): ${summary}; ready after ${Math.round(slowest)} ms`);
    });
  }

  test("F09 restarted (fast) under the store: what it says was not written was not written", async (t) => {
    const times = count(20, 3);
    const url = await postgres.createDatabase();
    const store = await openStore(url);
    const { id: authorId } = await store.users.create(aPerson());
    const history = new History();
    let isOver = false;
    const writers = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        const operation = history.invoke();
        try {
          const id = await store.posts.create({ authorId, title: operation.title, body: operation.body });
          operation.outcome = { kind: "ok", id };
        } catch (error) {
          const { message } = error as Error;
          operation.outcome = { kind: message.includes("is not known") ? "unknown" : "failed", reason: message };
          await pause(20);
        }
      }
    });
    for (let restart = 0; restart < times; restart++) {
      await pause(400 + Math.random() * 200);
      await postgres.kill("SIGINT");
      await postgres.start();
    }
    isOver = true;
    await Promise.all(writers);
    await store.close();
    history.assertExplains(await readPostgres(url));
    t.diagnostic(`F09 ${times} restarts under the store: ${history.summary()}`);
  });

  test("F09 frozen: every request is answered in time, with a clear 503 or rightly, and writes resume", async (t) => {
    const seconds = count(30, 6);
    const installation = await install(t, { url: await postgres.createDatabase() });
    const server = await installation.start();
    const history = new History();
    const writers = startWriters(history, () => installation, { writers: 24 });
    await writers.acknowledge(50, READY);
    const pids = [postgres.pid(), ...childrenOf(postgres.pid())];
    try {
      signalAll(pids, "SIGSTOP");
      const agent = new Agent();
      const began = performance.now();
      const read = await Promise.race([
        send(agent, installation, { query: "{ posts { id } }" }),
        pause(seconds * 1_000),
      ]);
      const took = performance.now() - began;
      if (read !== undefined) {
        assert.ok("status" in read && read.status === 503, JSON.stringify(read));
        assert.ok(read.headers["retry-after"] !== undefined, JSON.stringify(read));
        assert.ok(took < PATIENCE, `answered after ${took} ms`);
      } else assert.ok(seconds * 1_000 < PATIENCE, "a read has no answer");
      const ready = await fetch(`${installation.url}/readyz`, { signal: AbortSignal.timeout(PATIENCE) }).catch(
        () => null,
      );
      if (ready !== null && seconds > 12) assert.equal(ready.status, 503);
      await pause(Math.max(0, seconds * 1_000 - (performance.now() - began)));
      while (history.count("failed") === 0 && performance.now() - began < 2 * PATIENCE) await pause(50);
    } finally {
      signalAll(pids, "SIGCONT");
    }
    const ready = await untilReady(installation.url, READY);
    await writers.acknowledge(50, READY);
    await writers.stop();
    assert.ok(history.count("failed") > 0, "nobody was told");
    assert.ok(writers.slowest() < PATIENCE, `an answer took ${writers.slowest()} ms`);
    const summary = await judge(history, installation);
    assert.equal(await server.stop(), 0);
    t.diagnostic(
      `F09 frozen ${seconds} s: ${summary}; slowest answer ${Math.round(writers.slowest())} ms, ready after ${Math.round(ready)} ms`,
    );
  });

  test("F09 no connection is left: a clear 503, and writes resume once there is one", async (t) => {
    const url = await postgres.createDatabase();
    const installation = await install(t, { url });
    const server = await installation.start();
    const others: pg.Client[] = [];
    // One that is only about to start has no name yet.
    const isOurs = `backend_type = 'client backend' and application_name <> '${OTHERS}'`;
    const agent = new Agent({ keepAlive: true });
    const history = new History();
    try {
      do {
        await others[0]?.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where ${isOurs}`);
        while (await occupy(url, others));
      } while ((await others[0]?.query(`select 1 from pg_stat_activity where ${isOurs}`))?.rowCount !== 0);
      for (let i = 0; i < 20; i++) await writePost(agent, installation, history.invoke());
      assert.deepEqual(Object.keys(history.reasons()), ["503 The database has no connection left."]);
      const ready = await fetch(`${installation.url}/readyz`);
      assert.equal(ready.status, 503);
    } finally {
      await Promise.all(others.map((client) => client.end()));
    }
    await untilReady(installation.url, READY);
    const writers = startWriters(history, () => installation, { writers: 8 });
    await writers.acknowledge(50, READY);
    await writers.stop();
    agent.destroy();
    history.assertExplains(await installation.read());
    assert.equal(await server.stop(), 0);
    t.diagnostic(`F09 ${others.length} connections taken: ${history.summary()}`);
  });

  test("F09 five hundred aborted requests leave the pool whole", async (t) => {
    const url = await postgres.createDatabase();
    const installation = await install(t, { url });
    const server = await installation.start();
    const history = new History();
    for (let i = 0; i < 500; i += 25) await Promise.all(Array.from({ length: 25 }, () => abort(installation, history)));
    const began = performance.now();
    const writers = startWriters(history, () => installation, { writers: 32 });
    await writers.acknowledge(200, READY);
    await writers.stop();
    const look = `select count(*)::int as all, count(*) filter (where state like 'idle in transaction%')::int as stuck
       from pg_stat_activity where application_name = 'content-api' and datname = current_database()`;
    // What the program does by itself may be in a transaction at one look, but not at all of them.
    let [state] = await sqlOn<{ all: number; stuck: number }>(url, look);
    for (let again = 0; again < 50 && state?.stuck !== 0; again++) {
      await pause(20);
      [state] = await sqlOn<{ all: number; stuck: number }>(url, look);
    }
    assert.equal(state?.stuck, 0);
    assert.ok((state?.all ?? 99) <= 16, `${state?.all} connections`);
    history.assertExplains(await installation.read());
    assert.equal(await server.stop(), 0);
    t.diagnostic(
      `F09 500 aborted: ${history.summary()}; 200 writes after it in ${Math.round(performance.now() - began)} ms`,
    );
  });
});

/** Takes one more connection. @returns false when there is none */
async function occupy(url: string, others: pg.Client[]): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: OTHERS });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch {
    return false;
  }
  others.push(client);
  return true;
}

/** Sends a write, and goes away before or while it is answered. */
async function abort({ url, token }: Installation, history: History): Promise<void> {
  const operation = history.invoke();
  operation.outcome = { kind: "unknown", reason: "aborted" };
  const query = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
  const { title, body } = operation;
  const outgoing = request(`${url}/graphql`, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
  });
  outgoing.on("error", () => {});
  outgoing.on("response", (incoming) => incoming.on("error", () => {}).resume());
  outgoing.end(JSON.stringify({ query, variables: { input: { title, body } } }));
  await pause(Math.random() * 25);
  outgoing.destroy();
}

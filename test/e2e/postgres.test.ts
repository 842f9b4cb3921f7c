import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openTestApp, type TestApp } from "../app.ts";
import { sqlOn, startPostgres } from "../postgres.ts";
import { livedTime } from "../timing.ts";

const server = await startPostgres({ durable: true });
after(() => server.stop());

describe("the program on PostgreSQL", () => {
  let url: string;
  let nodes: TestApp[];

  before(async () => {
    url = await server.createDatabase();
    const settings = { DATABASE_URL: url, SECRET_KEY: "A".repeat(43), PUBLIC_READ: "true", LOG_LEVEL: "silent" };
    nodes = await Promise.all([openTestApp(settings), openTestApp(settings)]);
    await sqlOn(
      url,
      `insert into users (id, name, email, email_key, email_verified, role, created_at)
       values ('01a21efd-4214-7000-8474-a0573e6a4ee8', 'Ada', 'ada@example.com', 'ada@example.com', 1, 'member', '2026-01-31T12:00:00.000Z')`,
    );
  });
  after(() => Promise.all(nodes.map((node) => node.close())));

  const ask = (node: TestApp | undefined, signal: AbortSignal | null = null) =>
    fetch(`${node?.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/graphql-response+json" },
      body: JSON.stringify({ query: '{ user(id: "01a21efd-4214-7000-8474-a0573e6a4ee8") { name posts { title } } }' }),
      signal,
    });
  const isReady = async (node: TestApp) => (await fetch(`${node.url}/readyz`)).status;

  test("two nodes that start at once on an empty database give the same answers", async () => {
    for (const node of nodes) {
      assert.equal(await (await ask(node)).text(), '{"data":{"user":{"name":"Ada","posts":[]}}}');
    }
    const keys = await Promise.all(nodes.map(async (node) => (await fetch(`${node.url}/jwks`)).text()));
    assert.equal(keys[0], keys[1]);
  });

  test("F09 500 aborted requests leave the pool whole", async () => {
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => ask(nodes[i % 2], AbortSignal.timeout(1 + (i % 7))).catch(() => {})),
      );
    }
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(nodes[i % 2])));
    for (const answer of answers) assert.equal(answer.status, 200);
    // What the program does by itself may be under way at one look, but not at all of them.
    const busy = "select from pg_stat_activity where application_name = 'content-api' and state <> 'idle'";
    for (let look = 0; (await sqlOn(url, busy)).length > 0; look++) {
      assert.ok(look < 100, "a connection is still busy");
      await pause(20);
    }
  });

  test("F09 the server ends at once and comes back: unavailable meanwhile, ready within ten seconds, on both nodes", async () => {
    await server.kill("SIGQUIT");
    for (const node of nodes) {
      assert.equal(await isReady(node), 503);
      const { errors } = (await (await ask(node)).json()) as { errors: { extensions: object }[] };
      assert.deepEqual(errors[0]?.extensions, { code: "UNAVAILABLE", retryAfter: 1 });
    }
    await server.start();
    const began = livedTime();
    for (const node of nodes) {
      while ((await isReady(node)) !== 200) {
        assert.ok(livedTime() - began < 10_000);
        await pause(20);
      }
      assert.equal((await ask(node)).status, 200);
    }
  });
});

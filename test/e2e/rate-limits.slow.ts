import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
import { serverEnvironment, startServer } from "../server-process.ts";
import { livedTime } from "../timing.ts";

/** Milliseconds in which what one process let through is missing at the others. */
const WITHIN = 2_500;
/** So slow that nothing comes back while a test runs. */
const LIMITS = {
  RATE_LIMIT_TOKEN: "100/10000",
  RATE_LIMIT_ADDRESS: "100000/10000",
  RATE_LIMIT_OAUTH_ADDRESS: "10/10000",
};

/** A new token of a client that acts for itself. */
async function newToken(environment: Record<string, string>): Promise<string> {
  const words = ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"];
  const client = await runJson<{ client_id: string }>(words, environment);
  const asked = ["token", "create", "--user", "ada@example.com", "--client", client.client_id, "--scope", "posts:read"];
  return (await runJson<{ access_token: string }>(asked, environment)).access_token;
}

/** On a connection of its own. */
async function ask(url: string, token: string, points = 20): Promise<number> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, connection: "close" },
    body: JSON.stringify({ query: `{ posts(first: ${points}) { id } }` }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Asks for a point now and then, of which there are more than are asked for: until the others' are missing here. */
async function untilSpent(url: string, token: string): Promise<void> {
  const began = livedTime();
  for (let refused = 0; refused < 8; ) {
    if ((await ask(url, token, 1)) === 429) refused++;
    else {
      refused = 0;
      assert.ok(livedTime() - began < 2 * WITHIN, "what others let through is not missing here");
      await pause(150);
    }
  }
}

const server = await openPostgres();

describe("rate limits of two nodes on one PostgreSQL", () => {
  let url: string;
  let near: TestApp;
  let far: TestApp;
  let settings: Record<string, string>;

  before(async () => {
    url = await server.createDatabase();
    settings = { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString("base64url"), LOG_LEVEL: "silent", ...LIMITS };
    near = await openTestApp(settings);
    far = await openTestApp(settings);
    await runJson(["user", "create", "--email", "ada@example.com", "--name", "Ada"], near.environment);
  });
  after(() => Promise.all([near.close(), far.close()]));

  async function spendAll(token: string): Promise<void> {
    for (let i = 0; i < 5; i++) assert.equal(await ask(near.url, token), 200);
    assert.equal(await ask(near.url, token), 429);
  }

  test("a token that is used up at one is used up at the other", async () => {
    const [token, other] = [await newToken(near.environment), await newToken(near.environment)];
    await spendAll(token);
    await untilSpent(far.url, token);
    assert.equal(await ask(far.url, other), 200);
  });

  test("requests to the authorization server count together too", async () => {
    const refresh = async (node: TestApp) => {
      const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id: "nobody" });
      return (await fetch(`${node.url}/token`, { method: "POST", body })).status;
    };
    for (let i = 0; i < 10; i++) assert.equal(await refresh(near), 401);
    assert.equal(await refresh(near), 429);
    let answer = await refresh(far);
    for (let more = 0; more < 8 && answer !== 429; more++) {
      await pause(WITHIN / 4);
      answer = await refresh(far);
    }
    assert.equal(answer, 429);
  });

  test("a node that starts knows what was taken at the others, and before it stopped", async () => {
    const token = await newToken(near.environment);
    const first = await openTestApp(settings);
    for (let i = 0; i < 5; i++) assert.equal(await ask(first.url, token), 200);
    await first.close();
    const second = await openTestApp(settings);
    try {
      assert.equal(await ask(second.url, token), 429);
    } finally {
      await second.close();
    }
  });

  test("F09 while the table is locked, each node answers by its own count; later they count together again", async () => {
    const tokens = [await newToken(near.environment), await newToken(near.environment)] as const;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query("begin; lock table rate_limits in access exclusive mode");
      let longest = 0;
      const until = performance.now() + 2_500;
      for (let i = 0; performance.now() < until; i++) {
        for (const { url } of [near, far]) {
          const began = livedTime();
          assert.equal(await ask(url, tokens[0]), i < 5 ? 200 : 429);
          longest = Math.max(longest, livedTime() - began);
        }
        await pause(20);
      }
      assert.ok(longest < 900, `${longest} ms`); // a lock is waited for for a second
    } finally {
      await client.end();
    }
    await spendAll(tokens[1]);
    await untilSpent(far.url, tokens[1]);
  });

  test("A43 the table has neither tokens nor addresses", async () => {
    const token = await newToken(near.environment);
    await spendAll(token);
    await pause(WITHIN);
    const rows = await sqlOn<{ taken: string }>(url, "select * from rate_limits");
    assert.ok(rows.length > 0);
    const text = JSON.stringify(rows);
    for (const secret of [token, "127.0.0.1", "nobody"]) assert.equal(text.includes(secret), false, secret);
  });
});

test("WORKERS=2 on SQLite: what a token takes of one is missing at the other, also after the file was locked", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`, { WORKERS: "2", ...LIMITS });
  const program = await startServer(environment);
  t.after(async () => {
    await program.stop("SIGKILL");
    await rm(folder, { recursive: true });
  });
  for (let i = 0; i < 1_000 && !program.output().includes("is ready."); i++) await pause(50);
  await runJson(["user", "create", "--email", "ada@example.com", "--name", "Ada"], environment);
  const [first, second] = [await newToken(environment), await newToken(environment)];
  /** As many requests as one worker would let through by itself. */
  const spendAll = async (token: string) => {
    for (let i = 0; i < 5; i++) assert.equal(await ask(program.baseUrl, token), 200);
  };
  const assertSpent = async (token: string) => {
    await untilSpent(program.baseUrl, token);
    for (let i = 0; i < 8; i++) assert.equal(await ask(program.baseUrl, token), 429);
  };
  await spendAll(first);
  await assertSpent(first);

  const other = new DatabaseSync(join(folder, "content.db"));
  other.exec("begin immediate");
  const began = livedTime();
  await spendAll(second);
  assert.ok(livedTime() - began < 900, `${livedTime() - began} ms`);
  await pause(WITHIN);
  other.exec("rollback");
  other.close();
  await assertSpent(second);
  assert.equal(await program.stop("SIGTERM"), 0);
});

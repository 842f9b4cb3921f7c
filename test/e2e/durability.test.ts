import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { runJson } from "../command.ts";
import { serverEnvironment, startServer } from "../server-process.ts";
import { bestOfThree } from "../timing.ts";

const WRITES = 200;
const WRITERS = 8;

test("F01 kill −9 during 200 writes loses no acknowledged post, and the program is ready again within 5 s", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`);
  const headers = await authorized(environment);
  const acknowledged: string[] = [];
  const server = await startServer(environment);
  t.after(() => server.stop("SIGKILL"));

  async function write(title: string): Promise<void> {
    const query = 'mutation ($title: String!) { createPost(input: { title: $title, body: "b" }) { id title } }';
    const body = JSON.stringify({ query, variables: { title } });
    const answer = await fetch(`${server.baseUrl}/graphql`, { method: "POST", headers, body }).then(
      (response) => response.json() as Promise<{ data: { createPost: { title: string } } }>,
    );
    acknowledged.push(answer.data.createPost.title);
    if (acknowledged.length === WRITES / 2) server.child.kill("SIGKILL");
  }

  let begun = 0;
  const results = await Promise.allSettled(
    Array.from({ length: WRITERS }, async () => {
      while (begun < WRITES) await write(`post ${begun++}`);
    }),
  );
  assert.equal(await server.stop("SIGKILL"), null);
  assert.ok(acknowledged.length >= WRITES / 2 && acknowledged.length < WRITES, `${acknowledged.length} acknowledged`);
  assert.ok(
    results.some(({ status }) => status === "rejected"),
    "the kill came in the middle",
  );

  let restarted = server;
  await bestOfThree(5_000, async () => {
    await restarted.stop("SIGKILL");
    const began = performance.now();
    restarted = await startServer(environment);
    return performance.now() - began;
  });
  t.after(() => restarted.stop("SIGKILL"));
  const titles = storedTitles(join(folder, "content.db"));
  for (const title of acknowledged) assert.ok(titles.has(title), `${title} was acknowledged and is gone`);
  assert.equal(await restarted.stop(), 0);
  await rm(folder, { recursive: true });
});

async function authorized(environment: Record<string, string>): Promise<Record<string, string>> {
  await runJson(["migrate"], environment);
  await runJson(["user", "create", "--email", "ada@example.com", "--name", "Ada"], environment);
  const client = await runJson<{ client_id: string }>(
    ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"],
    environment,
  );
  const token = await runJson<{ access_token: string }>(
    ["token", "create", "--user", "ada@example.com", "--client", client.client_id, "--scope", "posts:read posts:write"],
    environment,
  );
  return { "content-type": "application/json", authorization: `Bearer ${token.access_token}` };
}

/** Straight from the file: a list over HTTP ends at 100. */
function storedTitles(path: string): Set<string> {
  const database = new DatabaseSync(path, { readOnly: true });
  const titles = database
    .prepare("SELECT title FROM posts")
    .all()
    .map((row) => String(row.title));
  database.close();
  return new Set(titles);
}

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { runCommand, runJson } from "../command.ts";
import { serverEnvironment, startServer } from "../server-process.ts";
import { livedTime } from "../timing.ts";

function childrenOf(pid: number): number[] {
  return execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
    .split("\n")
    .map(Number)
    .filter((child) => child > 0);
}

test("WORKERS=2: both serve one database, a killed worker is replaced, a revoked token is refused by both, SIGTERM ends all", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`, { WORKERS: "2" });
  const server = await startServer(environment);
  t.after(() => server.stop("SIGKILL"));
  const supervisor = server.child.pid ?? 0;
  for (let i = 0; i < 1_000 && !server.output().includes("/setup?token="); i++) await pause(50);
  assert.match(server.output(), /is ready\..*\/setup\?token=/s);

  await runJson(["user", "create", "--email", "ada@example.com", "--name", "Ada"], environment);
  const client = await runJson<{ client_id: string }>(
    ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"],
    environment,
  );
  const token = await runJson<{ access_token: string }>(
    ["token", "create", "--user", "ada@example.com", "--client", client.client_id, "--scope", "posts:read posts:write"],
    environment,
  );
  /** On a connection of its own, so that it may reach either worker. */
  async function ask(query: string): Promise<number> {
    const response = await fetch(`${server.baseUrl}/graphql`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/graphql-response+json",
        authorization: `Bearer ${token.access_token}`,
        connection: "close",
      },
      body: JSON.stringify({ query }),
    });
    await response.arrayBuffer();
    return response.status;
  }
  const write = 'mutation { createPost(input: { title: "t", body: "b" }) { id } }';
  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask(i % 2 === 0 ? write : "{ posts { id } }")),
  );
  assert.deepEqual(new Set(statuses), new Set([200]));

  const workers = childrenOf(supervisor);
  assert.equal(workers.length, 2);
  process.kill(workers[0] ?? 0, "SIGKILL");
  for (let i = 0; i < 1_000 && childrenOf(supervisor).filter((pid) => pid !== workers[0]).length < 2; i++)
    await pause(50);
  assert.equal(childrenOf(supervisor).length, 2);

  const { code } = await runCommand(["user", "disable", "ada@example.com"], environment);
  assert.equal(code, 0);
  const areRefused = async () =>
    (await Promise.all(Array.from({ length: 12 }, () => ask("{ posts { id } }")))).every((status) => status === 401);
  for (const began = livedTime(); !(await areRefused()); await pause(20))
    assert.ok(livedTime() - began < 1_000, "still believed after a second");

  assert.equal(await server.stop("SIGTERM"), 0);
  assert.deepEqual(workers.filter(isAlive), []);
  await rm(folder, { recursive: true });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

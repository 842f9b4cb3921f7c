import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { runJson } from "../command.ts";
import { lacks, signalAll } from "../faults/machine.ts";
import { send, type Target } from "../faults/writers.ts";
import { serverEnvironment, startServer } from "../server-process.ts";
import { NEEDED, standInForSystemd } from "../systemd.ts";
import { offerLoad } from "./open-load.ts";

/** Requests a second. */
const RATE = 1_000;

async function start(t: TestContext, settings: Record<string, string> = {}) {
  const systemd = await standInForSystemd(t);
  const path = join(systemd.folder, "content.db");
  const environment = await serverEnvironment(`sqlite:${path}`, {
    ...{ RATE_LIMIT_TOKEN: "off", RATE_LIMIT_ADDRESS: "off" },
    ...settings,
  });
  await runJson(["migrate"], environment);
  await runJson(["user", "create", "--email", "ada@example.com", "--name", "Ada"], environment);
  const client = await runJson<{ client_id: string }>(
    ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"],
    environment,
  );
  const { access_token: token } = await runJson<{ access_token: string }>(
    ["token", "create", "--user", "ada@example.com", "--client", client.client_id, "--scope", "posts:read posts:write"],
    environment,
  );
  const inFolder = ["sh", "-c", 'cd "$0" && exec "$@"', systemd.folder];
  const server = await startServer({ ...environment, ...systemd.environment }, inFolder);
  await systemd.until("READY=1");
  const pids = [server.child.pid ?? 0];
  t.after(() => signalAll(pids, "SIGKILL"));
  const target: Target = { url: server.baseUrl, token };
  return {
    ...{ systemd, path, target, server, pids },
    /** The newest process, as systemd knows it. */
    pid: () => pids.at(-1) ?? 0,
    /** @returns when the next process is supervised */
    async restart(): Promise<void> {
      process.kill(pids.at(-1) ?? 0, "SIGHUP");
      pids.push(await systemd.successor(pids.length));
    },
  };
}

function storedTitles(path: string): Set<unknown> {
  const database = new DatabaseSync(path, { readOnly: true });
  const titles = database.prepare("SELECT title FROM posts").all();
  database.close();
  return new Set(titles.map(({ title }) => title));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
  for (const deadline = Date.now() + 90_000; pids.some(isAlive); await pause(50))
    assert.ok(Date.now() < deadline, `still there: ${pids.filter(isAlive)}`);
}

describe("K22 SIGHUP restarts the program without a refused connection", { skip: lacks(NEEDED) }, () => {
  for (const [workers, restarts] of [
    ["1", 20],
    ["2", 6],
  ] as const)
    test(`WORKERS=${workers}: ${restarts} restarts under ${RATE} requests a second: no error, no acknowledged write lost`, async (t) => {
      const program = await start(t, { WORKERS: workers });
      const load = offerLoad(program.target, RATE);
      t.after(() => load.end());
      for (let count = 0; count < restarts; count++) {
        const before = load.sent();
        await program.restart();
        while (load.sent() < before + RATE / 2) await pause(20); // the new process has its share of the load
      }
      const { errors, written, ...figures } = await load.end();
      t.diagnostic(JSON.stringify({ ...figures, requests: load.sent(), written: written.length }));
      assert.deepEqual(errors, {});
      await untilGone(program.pids.slice(1, -1));
      process.kill(program.pids[0] ?? 0, "SIGTERM"); // the start of this test has left a connection there that nobody uses
      await untilGone(program.pids.slice(0, -1));
      assert.equal(program.systemd.messages.includes("STOPPING=1"), false, "the service never stopped");
      process.kill(program.pid(), "SIGTERM");
      await untilGone(program.pids);
      await program.systemd.until("STOPPING=1");
      const stored = storedTitles(program.path);
      assert.ok(written.length > restarts, String(written.length));
      assert.deepEqual(
        written.filter((title) => !stored.has(title)),
        [],
      );
    });

  test("the new program reads its settings again; one that cannot start leaves the old one serving", async (t) => {
    const program = await start(t);
    const { systemd, target } = program;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const settings = join(systemd.folder, ".env");
    await writeFile(settings, "ACCESS_TOKEN_TTL=never");
    process.kill(program.pid(), "SIGHUP");
    await systemd.until("READY=1", 2);
    assert.equal(systemd.messages.filter((one) => one === "RELOADING=1").length, 1);
    assert.match(program.server.output(), /ACCESS_TOKEN_TTL.*the new program did not start.*goes on serving/s);
    assert.deepEqual(await read(agent, target), { status: 200, connection: "keep-alive", isReused: false });

    await writeFile(settings, "OPERATOR_NAME=Renamed");
    await program.restart();
    assert.match(await page(target.url), /Renamed/);
    assert.deepEqual(
      await read(agent, target),
      { status: 200, connection: "close", isReused: true },
      "a connection that was idle has one more answer from the old program",
    );
    assert.equal((await read(agent, target)).isReused, false);
  });

  test("a subscription is told to reconnect, and finds the new program", async (t) => {
    const { target, restart } = await start(t);
    const subscribe = () =>
      fetch(`${target.url}/graphql`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream",
          authorization: `Bearer ${target.token}`,
        },
        body: JSON.stringify({ query: "subscription { postEvents { type } }" }),
        signal: AbortSignal.timeout(30_000),
      });
    const before = await subscribe();
    assert.equal(before.status, 200);
    const ended = before.text();
    await restart();
    await ended;
    const after = await subscribe(); // over a connection that fetch has kept to the old program, as it may happen
    assert.equal(after.status, 200);
    await after.body?.cancel();
  });
});

test("without systemd SIGHUP is ignored, and the log says why", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const server = await startServer(
    await serverEnvironment(`sqlite:${join(folder, "content.db")}`, { LOG_LEVEL: "warn" }),
  );
  t.after(() => server.stop("SIGKILL"));
  server.child.kill("SIGHUP");
  for (let count = 0; count < 500 && !server.output().includes("NOTIFY_SOCKET"); count++) await pause(20);
  assert.match(server.output(), /SIGHUP is ignored: only systemd follows/);
  assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200);
  assert.equal(await server.stop(), 0);
  await rm(folder, { recursive: true });
});

async function read(agent: Agent, target: Target) {
  const reply = await send(agent, target, { query: "{ posts(first: 1) { id } }" });
  if ("error" in reply) throw new Error(reply.error);
  return { status: reply.status, connection: reply.headers.connection, isReused: reply.isReused };
}

/** On a connection of its own. */
function page(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: new Agent() }, (answer) => text(answer).then(resolve, reject)).on("error", reject);
  });
}

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { describe, test } from "node:test";
import { count } from "./counts.ts";
import { History } from "./history.ts";
import { type Installation, install } from "./installation.ts";
import { lacks, WITHOUT_PRIVILEGE } from "./machine.ts";
import { send, startWriters } from "./writers.ts";

const PAGE = 4_096;
const ALL = "{ posts { id title body createdAt } }";

describe("the database file is damaged", () => {
  test("F06 a locked-down file or folder is refused by name, and served once it is open", {
    skip: WITHOUT_PRIVILEGE.length > 0 && lacks(["setpriv"]),
  }, async (t) => {
    const installation = await install(t);
    chmodSync(installation.file, 0o000);
    await assert.rejects(installation.start({}, WITHOUT_PRIVILEGE), /content\.db.*(permission|cannot be opened)/i);
    chmodSync(installation.file, 0o600);
    const server = await installation.start({}, WITHOUT_PRIVILEGE);
    assert.equal(await server.stop(), 0);
  });

  test("F06 corrupt pages: refused, or an error, or the right answer; never garbage", async (t) => {
    const times = count(50, 4);
    const installation = await install(t);
    await write(installation, 60);
    const { file } = installation;
    const whole = `${file}.whole`;
    copyFileSync(file, whole);
    const right = await readAll(installation);
    const pages = statSync(file).size / PAGE;
    const seen = { refused: 0, error: 0, right: 0 };
    // Of what a page holds, nothing may be asked for: more are tried until one is met.
    for (let round = 0; round < times || (seen.refused + seen.error === 0 && round < 50); round++) {
      const bytes = readFileSync(whole);
      const page = 1 + Math.floor(Math.random() * (pages - 1));
      randomBytes(PAGE).copy(bytes, page * PAGE);
      writeFileSync(file, bytes);
      seen[await judge(installation, right, `page ${page + 1} of ${pages}`)]++;
    }
    copyFileSync(whole, file);
    assert.equal(await readAll(installation), right, "the backup works");
    assert.ok(seen.refused + seen.error > 0, "no damage was met");
    t.diagnostic(`F06 ${times} corrupt pages: ${JSON.stringify(seen)}`);
  });

  test("F06 a flipped bit in the write-ahead log: refused with a message, nothing acknowledged lost in silence", async (t) => {
    const times = count(30, 3);
    const installation = await install(t);
    const { file } = installation;
    const server = await installation.start();
    const history = new History();
    const writers = startWriters(history, () => installation, { writers: 4 });
    await writers.acknowledge(40, 30_000);
    await writers.stop();
    await server.stop("SIGKILL");
    const [database, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
    const put = (bytes: Uint8Array) => {
      writeFileSync(file, database);
      writeFileSync(`${file}-wal`, bytes);
      writeFileSync(`${file}-shm`, "");
    };
    for (let round = 0; round < times; round++) {
      const bent = Buffer.from(log);
      const at = Math.floor(Math.random() * (log.length / 2)); // well before the last commit
      bent[at] = (bent[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
      put(bent);
      await assert.rejects(installation.start(), /content\.db-wal.*damaged/, `a bit of byte ${at} of ${log.length}`);
    }
    put(log);
    const again = await installation.start();
    history.assertExplains(await installation.read());
    assert.equal(await again.stop(), 0);
    t.diagnostic(`F06 ${times} flipped bits: all refused; with the log as it was: ${history.summary()}`);
  });
});

/** Fills the database and folds the log into it. */
async function write(installation: Installation, posts: number): Promise<void> {
  const server = await installation.start();
  const writers = startWriters(new History(), () => installation, { writers: 4, size: 1_000 });
  await writers.acknowledge(posts, 30_000);
  await writers.stop();
  assert.equal(await server.stop(), 0);
}

async function readAll(installation: Installation): Promise<string> {
  const server = await installation.start();
  const reply = await send(new Agent(), installation, { query: ALL });
  await server.stop();
  assert.ok("status" in reply && reply.status === 200);
  return reply.text;
}

async function judge(installation: Installation, right: string, what: string): Promise<"refused" | "error" | "right"> {
  const server = await installation.start().catch((error: Error) => {
    assert.match(error.message, /damaged|not a SQLite database/, what);
    return null;
  });
  if (server === null) return "refused";
  const reply = await send(new Agent(), installation, { query: ALL });
  const isAlive = server.child.exitCode === null;
  await server.stop("SIGKILL");
  assert.ok(isAlive && "status" in reply, `${what}: ${JSON.stringify(reply)} ${server.output()}`);
  if (reply.status === 200 && !reply.text.includes('"errors"')) {
    assert.equal(reply.text, right, what);
    return "right";
  }
  assert.match(reply.text, /"code":"(INTERNAL|UNAVAILABLE)"|temporarily|server_error/, what);
  return "error";
}

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { migrate } from "../../src/storage/migrations/migrate.ts";
import { rollBack } from "../../src/storage/migrations/roll-back.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";
import { isFull } from "../faults/counts.ts";
import { sqlOn } from "../postgres.ts";
import { NEXT, NOW } from "../storage/migrations/next-version.ts";
import { bothDatabases, contentsOf, type Engine, shapeOf, withDatabase } from "./both-databases.ts";

const UPGRADER = join(import.meta.dirname, "upgrader-process.ts");
const databases = await bothDatabases();

function start(url: string, direction: "up" | "down", fatal = 0) {
  const child = spawn(process.execPath, [UPGRADER, url, direction, String(fatal)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { child, ended: ended.then(([output, errors]) => ({ output, errors, signal: child.signalCode })) };
}

async function runs(url: string, direction: "up" | "down", fatal = 0): Promise<string> {
  const { output, errors, signal } = await start(url, direction, fatal).ended;
  assert.equal(signal, fatal === 0 ? null : "SIGKILL", errors);
  assert.equal(errors, "");
  return output;
}

/** A database of this version with posts, and how to copy it. */
async function model(engine: Engine) {
  const url = await databases.create(engine);
  const store = await openStore(url);
  const { id: authorId } = await store.users.create(aPerson());
  for (let i = 0; i < 3; i++) await store.posts.create({ authorId, title: `Post ${i}`, body: "Body" });
  await store.close();
  const upgraded = await databases.copy(engine, url);
  const ups = Number(await runs(upgraded, "up"));
  const back = await databases.copy(engine, upgraded);
  const downs = Number(await runs(back, "down"));
  return { url, upgraded, back, calls: { up: ups, down: downs } };
}

const stateOf = async (url: string) => [await shapeOf(url), await contentsOf(url)];

for (const engine of ["SQLite", "PostgreSQL"] as const) {
  describe(`E06 K21 upgrades that are killed on ${engine}`, async () => {
    const { url, upgraded, back, calls } = await model(engine);
    const wanted = { up: await stateOf(upgraded), down: await stateOf(url) };
    assert.deepEqual(await stateOf(back), wanted.down);

    for (const direction of ["up", "down"] as const) {
      test(`killed before any of its statements, the next run ends in the same schema with the same rows: ${direction}`, async (t) => {
        assert.ok(calls[direction] > 20, `${calls[direction]} calls`);
        const from = direction === "up" ? url : upgraded;
        const step = isFull ? 1 : Math.ceil(calls[direction] / 10);
        let kills = 0;
        for (let fatal = 1 + Math.floor(Math.random() * step); fatal <= calls[direction]; fatal += step, kills++) {
          const copy = await databases.copy(engine, from);
          await runs(copy, direction, fatal);
          await withDatabase(copy, async (database) => {
            if (direction === "up") await migrate(database, Date.now, { migrations: NEXT, contracts: false });
            else await rollBack(database, NOW, { destroysData: false, migrations: NEXT });
          });
          assert.deepEqual(await stateOf(copy), wanted[direction], `killed before statement ${fatal}`);
        }
        t.diagnostic(`E06 ${engine} ${direction}: killed before ${kills} of ${calls[direction]} statements`);
      });
    }

    test("four processes at once upgrade one database: all succeed, in the same schema", async () => {
      const copy = await databases.copy(engine, url);
      await Promise.all(Array.from({ length: 4 }, () => runs(copy, "up")));
      assert.deepEqual(await stateOf(copy), wanted.up);
    });
  });
}

describe("E06 K21 an index that PostgreSQL was building", () => {
  /** An upgrade whose index waits for an old snapshot. */
  async function stuck() {
    const { url } = await model("PostgreSQL");
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin isolation level repeatable read; select 1");
    const upgrade = start(url, "up");
    const build = "select pid from pg_stat_progress_create_index where datname = current_database()";
    const invalid = "select indisvalid from pg_index where indexrelid = to_regclass('posts_by_subtitle')";
    for (
      const deadline = Date.now() + 30_000;
      (await sqlOn(url, `${build} and phase like 'waiting%'`)).length === 0;
    ) {
      assert.ok(Date.now() < deadline, "the index does not wait");
      await pause(20);
    }
    assert.deepEqual(await sqlOn(url, invalid), [{ indisvalid: false }]);
    const release = async () => {
      await holder.query("rollback");
      await holder.end();
    };
    const oid = () => sqlOn(url, "select to_regclass('posts_by_subtitle')::oid::text as oid");
    return { url, upgrade, build, invalid, oid, release };
  }

  test("its session was ended: the broken index is dropped, and made again", { timeout: 120_000 }, async () => {
    const { url, upgrade, build, invalid, oid, release } = await stuck();
    const broken = await oid();
    await sqlOn(url, `select pg_terminate_backend(pid) from (${build}) as b`);
    await release();
    const { errors } = await upgrade.ended; // it tries again itself, if not too much time has gone
    if (errors !== "") assert.match(errors, /connection to the database was lost/);
    await runs(url, "up");
    assert.deepEqual(await sqlOn(url, invalid), [{ indisvalid: true }]);
    assert.notDeepEqual(await oid(), broken);
  });

  test("its program was killed: PostgreSQL goes on, and the next program waits for it", {
    timeout: 120_000,
  }, async () => {
    const { url, upgrade, build, invalid, oid, release } = await stuck();
    const made = await oid();
    upgrade.child.kill("SIGKILL");
    await upgrade.ended;
    const next = start(url, "up");
    await pause(1_000);
    assert.equal(next.child.exitCode, null, "the next one waits");
    assert.equal((await sqlOn(url, build)).length, 1);
    await release();
    const { errors } = await next.ended;
    assert.equal(errors, "");
    assert.deepEqual(await sqlOn(url, invalid), [{ indisvalid: true }]);
    assert.deepEqual(await oid(), made, "the same index");
  });
});

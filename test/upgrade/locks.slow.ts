import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { planUpgrade } from "../../src/storage/migrations/plan.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";
import { sqlOn } from "../postgres.ts";
import { NEXT } from "../storage/migrations/next-version.ts";
import { bothDatabases, contentsOf, withDatabase } from "./both-databases.ts";

const UPGRADER = join(import.meta.dirname, "upgrader-process.ts");
/** `UPGRADE_POSTS=1000000 node --test test/upgrade/locks.slow.ts` measures docs/evidence/upgrades.md. */
const POSTS = Number(process.env.UPGRADE_POSTS ?? 50_000);
/** Milliseconds that nobody may wait longer than (K21). */
const LONGEST = 1_000;
/** Milliseconds between two looks at how long a statement waits. */
const LOOK = 10;
/** Characters of each body. */
const BODY = 500;

const databases = await bothDatabases();

/** Longest waits of those who read and write posts meanwhile, in milliseconds. */
interface Waits {
  reader: number;
  writer: number;
  statements: number;
}

async function upgrade(url: string, direction: "up" | "down"): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [UPGRADER, url, direction, "0"], { stdio: ["ignore", "ignore", "pipe"] });
  const [errors] = await Promise.all([text(child.stderr), once(child, "exit")]);
  assert.equal(errors, "");
  return performance.now() - began;
}

/** Runs reads and writes again and again, each kind on its own connection, until the work is done. */
async function watch(
  work: Promise<number>,
  runs: { reader: () => unknown; writer: () => unknown },
): Promise<Waits & { took: number }> {
  const waits: Waits = { reader: 0, writer: 0, statements: 0 };
  let isOver = false;
  const took = work.finally(() => {
    isOver = true;
  });
  async function go(kind: "reader" | "writer"): Promise<void> {
    while (!isOver) {
      const began = performance.now();
      await runs[kind]();
      waits[kind] = Math.max(waits[kind], Math.round(performance.now() - began));
      waits.statements++;
      await pause(LOOK);
    }
  }
  await Promise.all([go("reader"), go("writer")]);
  return { ...waits, took: Math.round(await took) };
}

function tell(t: TestContext, what: string, { took, reader, writer, statements }: Waits & { took: number }): void {
  t.diagnostic(
    `K21 ${what}, ${POSTS} posts: ${(took / 1_000).toFixed(1)} s, ${statements} statements beside it; longest wait ${reader} ms to read, ${writer} ms to write`,
  );
}

async function author(url: string): Promise<string> {
  const store = await openStore(url);
  const { id } = await store.users.create(aPerson());
  await store.close();
  return id;
}

const READ = "select title from posts where status = 'PUBLISHED' order by created_at desc, id desc limit 10";
const WRITE = "update posts set updated_at = '2026-11-30T12:00:00.000Z' where number = ";
const anyPost = () => 1 + Math.floor(Math.random() * POSTS);

describe("K21 nobody waits for an upgrade for longer than a second", () => {
  test("PostgreSQL: the upgrade, and the way back", async (t) => {
    const url = await databases.create("PostgreSQL");
    const authorId = await author(url);
    // Without the indexes, which are made faster afterwards.
    const indexes = await sqlOn<{ name: string; def: string }>(
      url,
      `select indexname as name, indexdef as def from pg_indexes where tablename = 'posts' and indexname not like '%pkey'`,
    );
    for (const { name } of indexes) await sqlOn(url, `drop index ${name}`);
    await sqlOn(
      url,
      `insert into posts (id, author_id, status, created_at, updated_at, published_at, title, slug, word_count, excerpt, body, search)
        select '01990000-0000-7000-8000-' || lpad(n::text, 12, '0'), '${authorId}', 'PUBLISHED', t, t, t, 'Title ' || n, 'title-' || n, 1, '', repeat('x', ${BODY}), ''
        from (select n, to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.000Z') as t from generate_series(1, ${POSTS}) as n) as rows`,
    );
    for (const { def } of indexes) await sqlOn(url, def);
    await sqlOn(url, "analyze posts");
    const [reader, writer] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([reader.connect(), writer.connect()]);
    // A report that reads for a while: an ALTER TABLE waits for it, and nobody may wait behind that.
    const report = new pg.Client(url);
    await report.connect();
    await report.query("begin; select count(*) from (select 1 from posts limit 10) as p");
    const ended = pause(3_000).then(() => report.query("commit"));
    const runs = { reader: () => reader.query(READ), writer: () => writer.query(`${WRITE}${anyPost()}`) };
    try {
      const before = (await contentsOf(url, ["posts"])).users;
      for (const direction of ["up", "down"] as const) {
        const waits = await watch(upgrade(url, direction), runs);
        tell(t, `PostgreSQL, ${direction}`, waits);
        assert.ok(waits.reader < LONGEST && waits.writer < LONGEST, JSON.stringify(waits));
      }
      assert.deepEqual((await contentsOf(url, ["posts"])).users, before);
    } finally {
      await ended;
      await Promise.all([reader.end(), writer.end(), report.end()]);
    }
  });

  test("SQLite: nobody waits to read; to write, for the one index that --check tells of", async (t) => {
    const url = await databases.create("SQLite");
    const authorId = await author(url);
    const file = url.slice("sqlite:".length);
    const filling = new DatabaseSync(file);
    filling.exec(`insert into posts (id, author_id, status, created_at, updated_at, published_at, title, slug, word_count, excerpt, body)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${POSTS})
      select '01990000-0000-7000-8000-' || printf('%012d', n), '${authorId}', 'PUBLISHED', t, t, t, 'Title ' || n, 'title-' || n, 1, '', printf('%.*c', ${BODY}, 'x')
      from (select n, strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || n || ' seconds') as t from numbers);
      delete from posts_unindexed; pragma wal_checkpoint(truncate)`);
    filling.close();
    const [reader, writer] = [
      new DatabaseSync(file, { timeout: 600_000 }),
      new DatabaseSync(file, { timeout: 600_000 }),
    ];
    const read = reader.prepare(READ);
    const write = writer.prepare(`${WRITE}?`);
    const runs = { reader: () => read.all(), writer: () => write.run(anyPost()) };
    try {
      const { pending } = await withDatabase(url, (database) => planUpgrade(database, NEXT));
      const expected = pending.reduce((sum, { writersWaitSeconds }) => sum + writersWaitSeconds, 0) * 1_000;
      const up = await watch(upgrade(url, "up"), runs);
      tell(t, "SQLite, up", up);
      t.diagnostic(`--check expects writers to wait ${expected} ms`);
      assert.ok(up.writer < LONGEST + 3 * expected, JSON.stringify(up));
      const down = await watch(upgrade(url, "down"), runs);
      tell(t, "SQLite, down", down);
    } finally {
      reader.close();
      writer.close();
    }
  });
});

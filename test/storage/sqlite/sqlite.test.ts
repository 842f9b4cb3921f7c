import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { type CompiledQuery, sql } from "kysely";
import type { Id } from "../../../src/domain/id.ts";
import type { PostSelection, RootSelection } from "../../../src/domain/reading/selection.ts";
import { Changes } from "../../../src/storage/database/changes.ts";
import type { Database } from "../../../src/storage/database/database.ts";
import { IdSource } from "../../../src/storage/database/ids.ts";
import { param } from "../../../src/storage/database/statement.ts";
import { migrate } from "../../../src/storage/migrations/migrate.ts";
import { openStore } from "../../../src/storage/open.ts";
import { prepareRead } from "../../../src/storage/reading/read.ts";
import { openSqlite } from "../../../src/storage/sqlite/sqlite.ts";
import { openPosts } from "../../../src/storage/tables/posts.ts";
import { openUsers } from "../../../src/storage/tables/users.ts";
import { aPerson, hasCode } from "../../conformance/samples.ts";

const folder = mkdtempSync(join(tmpdir(), "content-api-sqlite-"));
after(() => rmSync(folder, { recursive: true }));
let count = 0;
const freshPath = () => join(folder, `${count++}.db`);

async function withDatabase(
  work: (database: Database, path: string) => Promise<void>,
  options: { isAlone?: boolean } = {},
): Promise<void> {
  const path = freshPath();
  const database = await openSqlite(path, { mustExist: false, readCache: 1_000_000, ...options });
  try {
    await migrate(database, Date.now);
    await work(database, path);
  } finally {
    await database.close();
  }
}

const titles: PostSelection = {
  type: "Post",
  fields: [
    { kind: "column", key: "title", column: "title" },
    { kind: "column", key: "createdAt", column: "createdAt" },
  ],
};

describe("SQLite", () => {
  test("commits are synced, foreign keys hold, statements cannot reach the file's machinery", () =>
    withDatabase(async (database) => {
      const pragma = async (db: Database["read"], name: string) =>
        Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {})[0];
      await database.write(async (tx) => {
        assert.equal(await pragma(tx, "synchronous"), 2);
        assert.equal(await pragma(tx, "journal_mode"), "wal");
        assert.equal(await pragma(tx, "foreign_keys"), 1);
        assert.equal(await pragma(tx, "trusted_schema"), 0);
        await assert.rejects(sql`delete from sqlite_schema`.execute(tx), hasCode("INTERNAL"));
      });
      assert.equal(await pragma(database.read, "query_only"), 1);
      await assert.rejects(sql`delete from users`.execute(database.read), hasCode("UNAVAILABLE"));
    }));

  test("a large write that fails leaves nothing, and those with which it shares its commit are kept", () =>
    withDatabase(async (database) => {
      await database.write(async (tx) => {
        await sql`create table things (id integer primary key, text text)`.execute(tx);
        for (let i = 0; i < 500; i++) await sql`insert into things (text) values (${"x".repeat(1_000)})`.execute(tx);
      });
      database.expectSmallWrites?.();
      const fail = new Error("no");
      const outcomes = await Promise.allSettled([
        database.write((tx) => sql`update things set text = 'before' where id = 1`.execute(tx)),
        database.write(async (tx) => {
          const { rows } = await sql<{ temp_store: number }>`pragma temp_store`.execute(tx);
          assert.equal(rows[0]?.temp_store, 2);
          await sql`update things set text = text || 'y'`.execute(tx);
          throw fail;
        }),
        database.write((tx) => sql`update things set text = 'after' where id = 2`.execute(tx)),
      ]);
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : null)),
        [null, fail, null],
      );
      const { rows } = await sql`select count(*) as count, sum(length(text)) as size, sum(text like '%y') as changed,
        group_concat(text) filter (where id <= 2) as first from things`.execute(database.read);
      assert.deepEqual({ ...(rows[0] as object) }, { count: 500, size: 498_011, changed: 0, first: "before,after" });
    }));

  test("lists without bodies are read from the indexes alone, in their order", () =>
    withDatabase(async (database) => {
      const first = { slot: 0 };
      const user: RootSelection = {
        kind: "user",
        id: { slot: 1 },
        selection: { type: "User", fields: [{ kind: "posts", key: "posts", first, selection: titles }] },
      };
      assert.deepEqual(await plan(database, user), [
        "SEARCH u0 USING PRIMARY KEY (id=?)",
        "CORRELATED SCALAR SUBQUERY 2",
        "CO-ROUTINE r1",
        "SEARCH p2 USING COVERING INDEX posts_by_author (author_id=?)",
        "SCAN r1",
      ]);
      const latest = await plan(database, { kind: "posts", first, selection: titles });
      assert.ok(latest.includes("SCAN p1 USING COVERING INDEX posts_by_time"), latest.join("; "));
      assert.ok(!latest.some((step) => step.includes("TEMP B-TREE")), latest.join("; "));
    }));

  test("S40 the texts of a post are found by an index of their own, however many other entries its history has", () =>
    withDatabase(async (database) => {
      const texts = database.read
        .selectFrom("post_revisions")
        .select("id")
        .where("post_id", "=", "x" as Id)
        .where(sql<boolean>`title is not null and kind <> 'MERGED'`)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .compile();
      const rows = await database.read.executeQuery<{ detail: string }>({
        ...texts,
        sql: `explain query plan ${texts.sql}`,
      });
      assert.deepEqual(
        rows.rows.map(({ detail }) => detail),
        ["SEARCH post_revisions USING INDEX post_revisions_texts (post_id=?)"],
      );
    }));

  test("a page far into a list is found by an index, in every order and direction, of everybody and of one person", () =>
    withDatabase(async (database) => {
      const first = { slot: 0 };
      const after = { key: { slot: 1 }, id: { slot: 2 } };
      for (const by of ["createdAt", "updatedAt", "publishedAt"] as const) {
        for (const descending of [true, false]) {
          for (const filter of [{}, { author: { slot: 3 } }]) {
            const list = { first, after, order: { by, descending }, filter } as const;
            const steps = (await plan(database, { kind: "posts", ...list, selection: titles })).join("; ");
            assert.match(steps, /SEARCH p1 USING (COVERING )?INDEX posts_by_\w+ \(.*_at,id\)[<>]\(\?,\?\)/);
            assert.doesNotMatch(steps, /TEMP B-TREE/);
          }
        }
      }
    }));

  test("S11 a page far into a list of drafts is found by an index, in every order and direction", () =>
    withDatabase(async (database) => {
      const first = { slot: 0 };
      const after = { key: { slot: 1 }, id: { slot: 2 } };
      for (const by of ["createdAt", "updatedAt", "publishedAt", "title"] as const) {
        for (const descending of [true, false]) {
          for (const author of [undefined, { slot: 3 }]) {
            const filter = { statuses: ["DRAFT"] as const, ...(author !== undefined && { author }) };
            const list = { first, after, order: { by, descending }, filter } as const;
            const steps = (await plan(database, { kind: "posts", ...list, selection: titles })).join("; ");
            assert.match(
              steps,
              /SEARCH p1 USING (COVERING )?INDEX posts_unpublished_\w+ \(.*status=\? AND \(\w+,id\)[<>]/,
            );
            assert.doesNotMatch(steps, /TEMP B-TREE/);
          }
        }
      }
    }));

  test("the search index stays whole, whatever is written, changed and deleted, together or one after the other", () =>
    withDatabase(async (database, path) => {
      const ids = new IdSource(Date.now);
      const posts = openPosts(database, database, ids, Date.now);
      const { id: authorId } = await openUsers(database, new Changes(database), ids, Date.now).create(aPerson());
      const create = (title: string) => posts.create({ authorId, title, body: `body of ${title}` });
      const change = (statement: ReturnType<typeof sql>) => database.write((tx) => statement.execute(tx));
      const made = await Promise.all(["one", "two", "three"].map(create));
      // One commit for all of these: some of the rows are not in the index yet when they change.
      await Promise.all([
        change(sql`update posts set title = 'uno' where id = ${made[0]}`),
        create("four"),
        change(sql`update posts set title = 'quattro' where title = 'four'`),
        create("five"),
        change(sql`delete from posts where title = 'five'`),
        change(sql`delete from posts where id = ${made[1]}`),
        create("six"),
      ]);
      await change(sql`delete from posts where title = 'three'`);
      const connection = new DatabaseSync(path);
      connection.exec("insert into posts_search (posts_search) values ('integrity-check')");
      const search = connection.prepare("select count(*) as found from posts_search where posts_search match ?");
      const words = ["one", "uno", "two", "three", "four", "quattro", "five", "six", "title:four"];
      const found = words.map((word) => search.get(word)?.found);
      connection.close();
      assert.deepEqual(found, [1, 1, 0, 0, 1, 1, 0, 1, 0]); // the bodies stay as they were
    }));

  test("F05 a full disk is UNAVAILABLE, nothing is acknowledged, reads go on, writes resume", () =>
    withDatabase(async (database) => {
      const ids = new IdSource(Date.now);
      const posts = openPosts(database, database, ids, Date.now);
      const { id: authorId } = await openUsers(database, new Changes(database), ids, Date.now).create(aPerson());
      const list = prepareRead(database, { kind: "posts", first: { slot: 0 }, selection: titles }, Date.now);
      const countPosts = async () => (JSON.parse(await list.run([100])) as unknown[]).length;
      const limitPages = (pages: number) =>
        database.write((tx) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx));
      const create = () => posts.create({ authorId, title: "t", body: "x".repeat(100_000) });

      await create();
      await limitPages(1); // SQLite takes the number of pages that there are
      const outcomes = await Promise.allSettled([create(), create(), create()]);
      for (const outcome of outcomes) {
        assert.ok(outcome.status === "rejected" && hasCode("UNAVAILABLE")(outcome.reason));
      }
      assert.equal(await countPosts(), 1);
      await limitPages(1_000_000);
      await create();
      assert.equal(await countPosts(), 2);
    }));

  test("F05 a read-only database is UNAVAILABLE, and reads go on", () =>
    withDatabase(async (database) => {
      const users = openUsers(database, new Changes(database), new IdSource(Date.now), Date.now);
      await users.create(aPerson());
      await database.write((tx) => sql`pragma query_only = on`.execute(tx));
      await assert.rejects(users.create(aPerson({ email: "b@example.com" })), hasCode("UNAVAILABLE"));
      assert.equal((await users.list()).length, 1);
    }));

  test("a lock held by another program: a short one is waited for without blocking, a long one is UNAVAILABLE", () =>
    withDatabase(async (database, path) => {
      const other = new DatabaseSync(path);
      other.exec("BEGIN IMMEDIATE");
      let turns = 0;
      const counting = setInterval(() => turns++, 10);
      await assert.rejects(
        database.write(async () => {}, 1_200),
        hasCode("UNAVAILABLE"),
      );
      assert.ok(turns > 5, `${turns} turns of the event loop`);
      const waiting = database.write(async () => "done");
      setTimeout(() => other.exec("ROLLBACK"), 100);
      assert.equal(await waiting, "done");
      clearInterval(counting);
      other.close();
    }));

  test("what is asked for again is read again only when something was written, whoever wrote it", () =>
    withDatabase(async (database, path) => {
      const users = openUsers(database, new Changes(database), new IdSource(Date.now), Date.now);
      const query = sql`select count(*) + ${param(0)} from users`.compile(database.read);
      const statement = database.prepareRow(query, { author: null });
      const zero = statement.run([0]);
      assert.deepEqual(statement.run([1]), [1]);
      assert.equal(statement.run([0]), zero);
      await new Promise(setImmediate);
      assert.equal(statement.run([0]), zero);
      await users.create(aPerson());
      assert.deepEqual(statement.run([0]), [1]);
      assert.deepEqual(statement.run([1]), [2]);
      const other = await openStore(`sqlite:${path}`);
      await other.users.create({ ...aPerson(), email: "other@example.com" });
      await other.close();
      await new Promise(setImmediate);
      assert.deepEqual(statement.run([0]), [2]);
    }));

  test("reads see what another process has committed, in the next turn at the latest", async () => {
    const path = freshPath();
    const [a, b] = [await openStore(`sqlite:${path}`), await openStore(`sqlite:${path}`)];
    const { id: authorId } = await a.users.create(aPerson());
    const list = b.prepareRead({ kind: "posts", first: { slot: 0 }, selection: titles });
    for (let i = 0; i < 20; i++) {
      const before = await list.run([100]);
      await a.posts.create({ authorId, title: `${i}`, body: "" });
      await new Promise(setImmediate);
      assert.notEqual(await list.run([100]), before);
    }
    await a.close();
    await b.close();
  });

  test("prepared reads may be forgotten: thousands of them leave nothing behind", async () => {
    const store = await openStore(`sqlite:${freshPath()}`);
    const { id } = await store.users.create(aPerson());
    for (let i = 0; i < 5_000; i++) {
      const fields = [{ kind: "constant", key: `k${i}`, value: "v" }] as const;
      const read = store.prepareRead({ kind: "user", id: { slot: 0 }, selection: { type: "User", fields } });
      assert.equal(await read.run([id]), `{"k${i}":"v"}`);
    }
    await store.close();
  });

  test("an event follows every event committed before, even from a clock that is ahead", async () => {
    const path = freshPath();
    const ahead = await openStore(`sqlite:${path}`, { now: () => Date.now() + 60_000 });
    const behind = await openStore(`sqlite:${path}`);
    const { id: authorId } = await ahead.users.create(aPerson());
    const written: Id[] = [authorId];
    for (let i = 0; i < 20; i++) {
      const store = i % 2 === 0 ? ahead : behind;
      written.push(await store.posts.create({ authorId, title: `${i}`, body: "" }));
    }
    const events = await behind.outbox.list(null, 100);
    assert.deepEqual(
      events.map((event) => event.subjectId),
      written,
    );
    await ahead.close();
    await behind.close();
  });
});

/** EXPLAIN QUERY PLAN of the statement that reads the selection. */
async function plan(database: Database, root: RootSelection): Promise<string[]> {
  let planned: CompiledQuery | undefined;
  const recording: Database = Object.assign(Object.create(database) as Database, {
    dialect: database.dialect,
    read: database.read,
    prepareRow(query: CompiledQuery) {
      planned = query;
      return { run: () => undefined };
    },
  });
  await prepareRead(recording, root, Date.now).run([]);
  assert.ok(planned);
  const rows = await database.read.executeQuery<{ detail: string }>({
    ...planned,
    sql: `explain query plan ${planned.sql}`,
    parameters: planned.parameters.map(() => 1),
  });
  return rows.rows.map((row) => row.detail);
}

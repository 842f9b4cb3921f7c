import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import own from "../../../package.json" with { type: "json" };
import type { Id } from "../../../src/domain/id.ts";
import type { Store } from "../../../src/domain/store/store.ts";
import { MIGRATIONS } from "../../../src/storage/migrations/contents.ts";
import { migrate } from "../../../src/storage/migrations/migrate.ts";
import type { Migration } from "../../../src/storage/migrations/migration.ts";
import { planUpgrade } from "../../../src/storage/migrations/plan.ts";
import { RELEASES } from "../../../src/storage/migrations/releases.ts";
import { rollBack, schemaOf } from "../../../src/storage/migrations/roll-back.ts";
import { readSchema } from "../../../src/storage/migrations/status.ts";
import { openStore } from "../../../src/storage/open.ts";
import { liveNodes } from "../../../src/storage/tables/nodes.ts";
import { aPerson } from "../../conformance/samples.ts";
import { bothDatabases, contentsOf, type Engine, rowsOf, shapeOf, withDatabase } from "../../upgrade/both-databases.ts";
import { NEXT, NOW } from "./next-version.ts";

const databases = await bothDatabases();
const NODE = { version: "0.2.0", host: "here", pid: 7 };
const upTo = (version: number) => NEXT.filter((migration) => migration.version <= version);
const makes = (url: string, migrations: readonly Migration[] = NEXT) =>
  withDatabase(url, (database) => migrate(database, Date.now, { migrations }));
const applied = (url: string) =>
  withDatabase(url, async ({ read, dialect }) =>
    (await readSchema(read, dialect, NEXT)).applied.filter((v) => v > NOW),
  );
const undoes = (url: string, target: number, destroysData = false) =>
  withDatabase(url, (database) => rollBack(database, target, { destroysData, migrations: NEXT }));

/** A node of this program. A test that fails closes it too. */
async function opens(t: TestContext, url: string, node = NODE): Promise<Store> {
  const store = await openStore(url, { node });
  t.after(() => store.close());
  return store;
}

/** A database of this program with some posts. @returns its address, and the author */
async function filled(engine: Engine): Promise<{ url: string; authorId: Id }> {
  const url = await databases.create(engine);
  const store = await openStore(url);
  const { id: authorId } = await store.users.create(aPerson());
  for (let i = 0; i < 5; i++) await store.posts.create({ authorId, title: `Post ${i}`, body: "Body" });
  await store.close();
  return { url, authorId };
}

test("K21 the last release is this version, and has all migrations", () => {
  assert.deepEqual(Object.entries(RELEASES).at(-1), [own.version, NOW]);
  assert.equal(schemaOf("0.1.0"), 41);
  assert.equal(schemaOf("42"), 42);
  assert.throws(() => schemaOf("9.9.9"), /no version of this program/);
  assert.throws(() => schemaOf("constructor"), /no version of this program/);
});

test("K20 migrations ascend; those with steps have a way back, or demand a program that exists", () => {
  for (const list of [MIGRATIONS, NEXT])
    assert.deepEqual(
      list.map(({ version }) => version),
      list.map(({ version }) => version).toSorted((a, b) => a - b),
    );
  for (const migration of MIGRATIONS.filter(({ version }) => version > 41)) {
    assert.notEqual(migration.kind, "stop");
    if (migration.kind === "contract") assert.ok(migration.demands < migration.version && migration.demands >= 42);
  }
});

for (const engine of ["SQLite", "PostgreSQL"] as const) {
  describe(`K20 K21 upgrades on ${engine}`, () => {
    test("an older node lives: expand migrations are made, the contract migration waits for its end", async (t) => {
      const { url, authorId } = await filled(engine);
      const node = await opens(t, url);
      const waiting = await makes(url);
      assert.deepEqual(waiting?.names, [`00${NOW + 2}-without-order-by-update`]);
      assert.deepEqual(
        waiting?.nodes.map(({ version, schema, pid }) => [version, schema, pid]),
        [["0.2.0", NOW, 7]],
      );
      assert.deepEqual(await applied(url), [NOW + 1, NOW + 3]);
      // The node goes on, a second one starts, and commands of its version work.
      const id = await node.posts.create({ authorId, title: "During", body: "Body" });
      const second = await opens(t, url);
      assert.deepEqual(await rowsOf(url, `select title from posts where id = '${id}'`), [{ title: "During" }]);
      await (await openStore(url, { migrate: false })).close();
      assert.deepEqual((await second.nodes.list()).length, 2);
      await node.close();
      assert.equal((await makes(url))?.nodes.length, 1);
      await second.close();
      assert.equal(await makes(url), null);
      assert.deepEqual(await applied(url), [NOW + 1, NOW + 2, NOW + 3]);
      const fresh = await databases.create(engine);
      assert.equal(await makes(fresh), null);
      assert.deepEqual(await shapeOf(url), await shapeOf(fresh), "as a new database");
      await assert.rejects(openStore(url, { node: NODE }), /schema \d+, this program knows schemas up to/);
      assert.deepEqual(await withDatabase(url, (database) => liveNodes(database.read, database)), []);
    });

    test("a node that dies without a goodbye counts for 60 s, and joins again if it was only asleep", async (t) => {
      const { url } = await filled(engine);
      const asleep = await opens(t, url);
      const age = (seconds: number) => rowsOf(url, `update nodes set seen_ms = seen_ms - ${seconds * 1_000}`);
      await age(55);
      assert.equal((await makes(url))?.nodes.length, 1);
      await asleep.nodes.renew();
      await age(55);
      assert.equal((await asleep.nodes.list()).length, 1, "the sign of life counts");
      await age(6);
      assert.deepEqual(await asleep.nodes.list(), []);
      const other = await opens(t, url, { ...NODE, pid: 8 });
      assert.deepEqual(
        await rowsOf(url, "select pid from nodes"),
        [{ pid: engine === "SQLite" ? 8 : "8" }],
        "its row is gone",
      );
      await asleep.nodes.renew();
      assert.deepEqual((await other.nodes.list()).map(({ pid }) => pid).sort(), [7, 8]);
      await other.close();
      await age(61);
      assert.equal(await makes(url), null, "nobody lives, and all is made");
      await rowsOf(url, "delete from nodes");
      await assert.rejects(asleep.nodes.renew(), /this program knows schemas up to/);
      await asleep.close();
    });

    test("there and back: the same schema, and the same rows", async () => {
      const { url } = await filled(engine);
      const before = [await shapeOf(url), await contentsOf(url)];
      await withDatabase(url, (database) => migrate(database, Date.now, { migrations: NEXT, contracts: false }));
      assert.deepEqual(await rowsOf(url, "select distinct subtitle from posts"), [{ subtitle: "none yet" }]);
      const { undone } = await undoes(url, NOW);
      assert.deepEqual(undone, [`00${NOW + 3}-notes`, `00${NOW + 1}-subtitles`]);
      assert.deepEqual([await shapeOf(url), await contentsOf(url)], before);
      assert.deepEqual(await undoes(url, NOW), { undone: [] });
      await (await openStore(url)).close();
    });

    test("rollback is rejected for newer nodes, for data that would be lost, after a contract migration, and without a way back", async () => {
      const { url } = await filled(engine);
      await makes(url, upTo(NOW + 1));
      await rowsOf(
        url,
        `insert into nodes (id, version, schema, host, pid, started_ms, seen_ms) values ('n', '9.9.9', ${NOW + 1}, 'there', 9, 1, 9999999999999)`,
      );
      await assert.rejects(
        undoes(url, NOW),
        /Stop these nodes first.*\n.*version 9\.9\.9 \(schema \d+\), process 9 on there/,
      );
      await rowsOf(url, "delete from nodes");
      await rowsOf(url, "update posts set subtitle = 'Mine' where title = 'Post 1'");
      await assert.rejects(undoes(url, NOW), /1 subtitles of posts \(00\d+-subtitles\)\n.*--lose-data/);
      assert.deepEqual(await applied(url), [NOW + 1]);
      await assert.rejects(undoes(url, 40), /0041-client-trials cannot be taken back/);
      await undoes(url, NOW, true);
      assert.equal(await makes(url), null);
      await assert.rejects(undoes(url, NOW), /is finished/);
      await assert.rejects(
        withDatabase(url, (database) => rollBack(database, NOW, { destroysData: false })),
        /schemas up to/,
      );
      await assert.rejects(undoes(url, NOW + 1), /is finished/);
    });

    test("a contract migration that was killed after its limit was set is finished by the next run, and is no way back", async (t) => {
      const { url } = await filled(engine);
      const node = await opens(t, url);
      await makes(url);
      await node.close();
      await rowsOf(url, `update schema_limits set schema = ${NOW + 1}`);
      await assert.rejects(undoes(url, NOW), /is finished/);
      assert.equal(await makes(url), null);
      assert.deepEqual(await applied(url), [NOW + 1, NOW + 2, NOW + 3]);
    });

    test("--check knows the kinds, who serves, and how long it takes", async (t) => {
      const { url } = await filled(engine);
      const plan = () => withDatabase(url, (database) => planUpgrade(database, NEXT));
      const node = await opens(t, url);
      const before = await plan();
      assert.equal(before.verdict, "expand only");
      assert.deepEqual(
        before.pending.map(({ kind }) => kind),
        ["expand", "contract", "expand"],
      );
      assert.deepEqual(
        before.nodes.map(({ version }) => version),
        ["0.2.0"],
      );
      await makes(url);
      const during = await plan();
      assert.deepEqual([during.verdict, during.pending.length, during.minProgram], ["compatible", 1, 41]);
      await node.close();
      await makes(url);
      assert.deepEqual([(await plan()).pending, (await plan()).minProgram], [[], NOW + 1]);
      await rowsOf(url, "delete from schema_migrations where version > 39");
      assert.equal((await plan()).verdict, "needs a stop");
    });
  });
}

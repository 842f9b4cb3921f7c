import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { AppError } from "../../src/domain/errors.ts";
import type { Log } from "../../src/observe/log.ts";
import { openStore } from "../../src/storage/open.ts";
import { type EngineSettings, USUAL_ENGINE } from "../../src/storage/postgres/engine.ts";
import { openPostgres as openDatabase } from "../../src/storage/postgres/postgres.ts";
import { aPerson } from "../conformance/samples.ts";
import { openPostgres, sqlOn } from "../postgres.ts";
import * as profiles from "./profiles.ts";
import { openEngineProxy, type Rules } from "./proxy.ts";

const server = await openPostgres();
const migrated = await server.createDatabase();
await (await openStore(migrated)).close();

interface Start {
  /** The database that the engine keeps. Defaults to a migrated one. */
  readonly url?: string;
  readonly settings?: Partial<EngineSettings>;
}

/** End of a start on an engine. */
async function start(rules: Rules, { url = migrated, settings = {} }: Start = {}) {
  const proxy = await openEngineProxy(url, rules);
  after(() => proxy.close());
  const said: string[] = [];
  const log: Log = { debug() {}, info() {}, warn: (_, message) => void said.push(message), error() {} };
  const engine = { ...USUAL_ENGINE, ...settings };
  const locksRows = async () => {
    const database = await openDatabase(proxy.through(url), engine);
    await database.close();
    return database.dialect.locksRows;
  };
  const open = () => openStore(proxy.through(url), { engine, log });
  return { open, locksRows, said };
}

async function failure(rules: Rules, of?: Start): Promise<string> {
  const { open } = await start(rules, of);
  try {
    await (await open()).close();
  } catch (error) {
    assert.equal((error as AppError).code, "UNAVAILABLE");
    return (error as AppError).message;
  }
  return "no failure";
}

describe("E02 what a start finds out", () => {
  test("E02 PostgreSQL: advisory locks, notifications, and nothing to say", async () => {
    const { open, locksRows, said } = await start({});
    assert.equal(await locksRows(), false);
    await (await open()).close();
    assert.deepEqual(said, []);
  });

  for (const [name, rules] of [
    ["do nothing", profiles.LOCKS_SILENT],
    ["are unknown", profiles.LOCKS_REFUSED],
  ] as const) {
    test(`E02 advisory locks that ${name}: rows are locked instead, from the first migration on`, async () => {
      const { open, locksRows } = await start(rules, { url: await server.createDatabase() });
      assert.equal(await locksRows(), true);
      const stores = await Promise.all([open(), open(), open()]);
      const [store] = stores;
      await store?.users.create(aPerson());
      assert.equal((await store?.outbox.list(null, 10))?.length, 1);
      await Promise.all(stores.map((one) => one.close()));
    });

    test(`E02 advisory locks that ${name}, although DATABASE_LOCKS asks for them: the start ends`, async () => {
      assert.match(await failure(rules, { settings: { DATABASE_LOCKS: "advisory" } }), /set DATABASE_LOCKS=rows/);
    });
  }

  for (const [name, rules] of [
    ["get lost", profiles.NOTIFY_SILENT],
    ["are unknown", profiles.NOTIFY_REFUSED],
  ] as const) {
    test(`E02 notifications that ${name}: the process polls, says so, and announces its writes only where that works`, async () => {
      const { open, said } = await start(rules);
      const store = await open();
      assert.match(said.join(), /notifications of the database do not arrive/);
      const { id } = await store.users.create(aPerson({ email: `${name}@example.com` }));
      await store.users.update(id, { role: "editor" });
      await store.close();
    });

    test(`E02 notifications that ${name}, although DATABASE_NOTIFY asks for them: the start ends`, async () => {
      assert.match(await failure(rules, { settings: { DATABASE_NOTIFY: "listen" } }), /Notifications do not arrive/);
    });
  }

  test("E02 a rollback that keeps tables: the start ends before anything is migrated", async () => {
    const url = await server.createDatabase();
    assert.match(await failure(profiles.MIGRATIONS_SILENT, { url }), /half a migration could stay/);
    assert.deepEqual(await sqlOn(url, "select tablename from pg_tables where schemaname = 'public'"), []);
  });

  test("E02 READ COMMITTED that is a snapshot: the start ends", async () => {
    assert.match(await failure(profiles.ISOLATION_SILENT), /READ COMMITTED/);
  });

  test("E02 an order of texts that is not the one of code points, or no COLLATE: the start ends", async () => {
    assert.match(await failure(profiles.ORDER_SILENT), /by code point/);
    assert.match(await failure(profiles.ORDER_REFUSED), /by code point/);
  });

  test("E02 DATABASE_ENGINE=postgresql tests nothing, and portable locks rows and polls", async () => {
    const trusting = await start(profiles.LOCKS_SILENT, { settings: { DATABASE_ENGINE: "postgresql" } });
    assert.equal(await trusting.locksRows(), false);
    const portable = await start({}, { settings: { DATABASE_ENGINE: "portable" } });
    assert.equal(await portable.locksRows(), true);
    await (await portable.open()).close();
    assert.deepEqual(portable.said, []);
  });
});

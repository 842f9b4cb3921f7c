import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { type Metrics, openMetrics } from "../../src/observe/metrics.ts";
import { openStore } from "../../src/storage/open.ts";
import { openPostgres as openDatabase } from "../../src/storage/postgres/postgres.ts";
import { aPerson } from "../conformance/samples.ts";
import { openPostgres, sqlOn } from "../postgres.ts";

const postgres = await openPostgres();

const sampleOf = (metrics: Metrics, series: string) =>
  Number(metrics.print().split(`\n${series} `)[1]?.split("\n", 1)[0] ?? Number.NaN);
const countOf = (metrics: Metrics, operation: string) =>
  sampleOf(metrics, `db_operation_duration_seconds_count{operation="${operation}",role="primary"}`);

async function openSqliteStore(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const file = join(folder, "content.db");
  const metrics = openMetrics();
  const store = await openStore(`sqlite:${file}`, { metrics });
  t.after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return { store, metrics, file };
}

async function openPostgresStore(t: TestContext) {
  const url = await postgres.createDatabase();
  const metrics = openMetrics();
  const store = await openStore(url, { metrics });
  t.after(() => store.close());
  return { store, metrics, url };
}

describe("O23 the database in the metrics", () => {
  test("SQLite: reads, queries and writes are measured, and the write-ahead log has its size", async (t) => {
    const { store, metrics } = await openSqliteStore(t);
    const before = { write: countOf(metrics, "write"), query: countOf(metrics, "query") };
    await store.users.create(aPerson());
    await store.webhooks.list();
    assert.ok(countOf(metrics, "write") > before.write);
    assert.ok(countOf(metrics, "query") > before.query);
    assert.ok(sampleOf(metrics, "sqlite_wal_bytes") > 0);
    assert.equal(store.hears(), null);
    assert.doesNotMatch(metrics.print(), /^listen_connected \d/m);
  });

  test("SQLite: an attempt to write is counted as busy while another process writes", async (t) => {
    const { store, metrics, file } = await openSqliteStore(t);
    assert.equal(sampleOf(metrics, "sqlite_busy_total"), 0);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    const writing = store.users.create(aPerson());
    for (let i = 0; i < 500 && sampleOf(metrics, "sqlite_busy_total") === 0; i++) await pause(2);
    other.exec("COMMIT");
    other.close();
    await writing;
    assert.ok(sampleOf(metrics, "sqlite_busy_total") > 0);
  });

  test("PostgreSQL: operations, waits for a connection, and connections by state", async (t) => {
    const { store, metrics } = await openPostgresStore(t);
    await store.users.create(aPerson());
    await store.webhooks.list();
    assert.ok(countOf(metrics, "write") > 0);
    assert.ok(countOf(metrics, "query") > 0);
    assert.ok(sampleOf(metrics, "db_pool_wait_seconds_count") > 0);
    const stateOf = (state: string) => sampleOf(metrics, `db_pool_connections{role="primary",state="${state}"}`);
    assert.ok(stateOf("idle") >= 1);
    assert.equal(stateOf("used"), 0);
  });

  test("PostgreSQL: another attempt is counted by the SQLSTATE of the failure", async (t) => {
    const { url } = await openPostgresStore(t);
    const metrics = openMetrics();
    const database = await openDatabase(url, undefined, metrics);
    t.after(() => database.close());
    let attempts = 0;
    await database.write(async (tx) => {
      if (++attempts < 3) await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(tx);
    });
    assert.equal(attempts, 3);
    assert.equal(sampleOf(metrics, 'db_retries_total{sqlstate="40001"}'), 2);
    assert.equal(sampleOf(metrics, 'db_retries_total{sqlstate="40P01"}'), 0);
  });

  test("O25 PostgreSQL: listen_connected tells whether changes are heard, and again after a break", async (t) => {
    const { store, metrics, url } = await openPostgresStore(t);
    t.after(store.watch(["client"], () => {}));
    const until = async (isHeard: number) => {
      for (let i = 0; i < 1_000 && sampleOf(metrics, "listen_connected") !== isHeard; i++) await pause(5);
      assert.equal(sampleOf(metrics, "listen_connected"), isHeard);
    };
    await until(1);
    assert.equal(store.hears(), true);
    await sqlOn(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'content-api changes' and datname = current_database()",
    );
    await until(0);
    assert.equal(store.hears(), false);
    await until(1);
  });
});

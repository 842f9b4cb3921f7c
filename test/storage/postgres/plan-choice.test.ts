import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { type Kysely, sql } from "kysely";
import type { Database } from "../../../src/storage/database/database.ts";
import type { Schema } from "../../../src/storage/database/schema.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openPostgres as openDatabase } from "../../../src/storage/postgres/postgres.ts";
import { openEngineProxy } from "../../engines/proxy.ts";
import { openPostgres, sqlOn } from "../../postgres.ts";

const server = await openPostgres();
const url = await server.createDatabase();
await (await openStore(url)).close();
await sqlOn(url, "vacuum analyze outbox");

async function open(address: string): Promise<Database> {
  const database = await openDatabase(address);
  after(() => database.close());
  return database;
}

/** How PostgreSQL finds the newest event. */
async function planOf(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain select max(id) from outbox`.execute(db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

describe("how PostgreSQL plans", () => {
  test("a table is read by its index even where it was empty when the plan was made, in reads and in writes", async () => {
    const database = await open(url);
    for (const plan of [await planOf(database.read), await database.write(planOf)]) {
      assert.match(plan, /Index Only Scan/);
      assert.doesNotMatch(plan, /Seq Scan/);
    }
  });

  test("an engine without these settings answers all the same", async () => {
    const proxy = await openEngineProxy(url, { refuse: (text) => (text.includes("enable_seqscan") ? "42704" : null) });
    after(() => proxy.close());
    const database = await open(proxy.through(url));
    assert.match(await planOf(database.read), /Seq Scan/);
    await database.write((tx) => tx.deleteFrom("outbox").execute());
  });
});

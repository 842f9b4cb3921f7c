import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { sql } from "kysely";
import { auditEvent } from "../../../src/domain/audit.ts";
import type { Database } from "../../../src/storage/database/database.ts";
import { administration } from "../../../src/storage/migrations/0040-administration.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openPostgres as openPostgresDatabase } from "../../../src/storage/postgres/postgres.ts";
import { openSqlite } from "../../../src/storage/sqlite/sqlite.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openPostgres } from "../../postgres.ts";

const folder = await mkdtemp(join(tmpdir(), "administration-migration-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

const AUDIT = [
  "by_user_id",
  "by_client_id",
  "by_address",
  "by_request_id",
  "by_event",
  "failures",
  "failures_by_event",
];
const USERS = ["by_role", "disabled_at", "deletes_at", "deleted_at"].flatMap((filter) =>
  ["id", "name_key", "email_key"].map((order) => `users_${filter}_${order}`),
);
/** Makes of the tables what the version before had. */
const BEFORE = [
  ...AUDIT.map((name) => `drop index audit_${name}`),
  ...[...USERS, "users_by_name_key"].map((name) => `drop index ${name}`),
  "alter table audit drop column actor_id",
  "alter table users drop column name_key",
];

function takesOver(name: string, url: string, open: () => Promise<Database>): void {
  test(`S65 S90 people from before are found, and entries know their administrator, on ${name}`, async () => {
    const before = await openStore(url);
    const { id } = await before.users.create(aPerson({ name: "Łukasz" }));
    const entry = (detail: string, requestId: string | null) =>
      auditEvent(Date.now(), { event: "person", result: "ok", userId: "p", detail, requestId });
    await before.audit.add([
      entry(`role editor by ${id}`, "r"),
      entry(`role editor by ${id}`, null),
      entry("changed by acme", "r"),
      entry("new password", "r"),
    ]);
    await before.close();
    const database = await open();
    await database.write(async (tx) => {
      for (const statement of BEFORE) await sql.raw(statement).execute(tx);
      await administration(tx, database.dialect);
    });
    await database.close();
    const store = await openStore(url);
    const [found] = await store.users.listAccounts({ search: "łU" }, undefined, 2);
    assert.equal(found?.user.id, id);
    const actors = (await store.audit.list({ limit: 9, userId: "p" })).map(({ actorId }) => actorId);
    assert.deepEqual(actors.toReversed(), [id, null, null, null]);
    await store.close();
  });
}

describe("the migration of administration", async () => {
  const file = join(folder, "content.db");
  takesOver("SQLite", `sqlite:${file}`, () => openSqlite(file, { mustExist: true }));
  const url = await postgres.createDatabase();
  takesOver("PostgreSQL", url, () => openPostgresDatabase(url));
});

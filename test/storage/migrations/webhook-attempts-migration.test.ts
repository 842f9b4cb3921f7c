import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sql } from "kysely";
import type { Id } from "../../../src/domain/id.ts";
import type { Database } from "../../../src/storage/database/database.ts";
import { webhookAttempts } from "../../../src/storage/migrations/0039-webhook-attempts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openPostgres as openPostgresDatabase } from "../../../src/storage/postgres/postgres.ts";
import { openSqlite } from "../../../src/storage/sqlite/sqlite.ts";
import { openPostgres } from "../../postgres.ts";

const folder = await mkdtemp(join(tmpdir(), "webhook-attempts-migration-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();
const file = join(folder, "content.db");

/** What the migration made, taken back. */
const BEFORE = [
  "drop table webhook_attempts",
  ...["state", "event_type", "post"].map((by) => `drop index webhook_deliveries_by_${by}`),
  "create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)",
  "alter table webhook_deliveries drop column post_id",
  ...["failing_since", "failing_reason"].map((column) => `alter table webhooks drop column ${column}`),
];

const POST = "01a21efd-4214-7000-8474-00000000beef" as Id;
const AT = "2026-01-31T12:00:00.000Z";
const eventId = (number: number) => `01a21efd-4214-7000-8474-${String(number).padStart(12, "0")}` as Id;

function takesOver(name: string, url: string, open: () => Promise<Database>): void {
  test(`S83 deliveries from before are found by their post on ${name}, and go on`, async () => {
    const before = await openStore(url);
    const fields = { url: "https://receiver.example/", eventTypes: [], includesUnpublished: false };
    const { id, cursor } = await before.webhooks.create(fields, { most: 1, seal: () => "sealed" });
    const data = (subject: string) => `{"type":"t","timestamp":"${AT}","data":{"id":"${subject}","title":"Ü"}}`;
    const deliveries = [
      { eventId: eventId(1), eventType: "post.deleted", payload: data(POST) },
      { eventId: eventId(2), eventType: "post.updated", payload: data(eventId(9)) },
      { eventId: eventId(3), eventType: "user.updated", payload: data(POST) },
    ] as const;
    await before.webhooks.advance(id, { from: cursor, to: eventId(3) }, deliveries, AT);
    await before.close();
    const database = await open();
    await database.write(async (tx) => {
      for (const statement of BEFORE) await sql.raw(statement).execute(tx);
      await webhookAttempts(tx, database.dialect);
    });
    await database.close();
    const store = await openStore(url);
    try {
      const found = await store.webhooks.listDeliveries({ postId: POST, limit: 9 });
      assert.deepEqual(
        found.map((delivery) => delivery.eventId),
        [eventId(1)],
      );
      assert.equal((await store.webhooks.listDeliveries({ webhookId: id, limit: 9 })).length, 3);
      assert.equal((await store.webhooks.numbers([id], AT))[0]?.waiting, 3);
      assert.equal((await store.webhooks.claim(id, { now: AT, until: AT, limit: 9 })).length, 3);
    } finally {
      await store.close();
    }
  });
}

takesOver("SQLite", `sqlite:${file}`, () => openSqlite(file, { mustExist: true }));
const url = await postgres.createDatabase();
takesOver("PostgreSQL", url, () => openPostgresDatabase(url));

import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Addresses that are told of changes, and what each was sent. */
export async function webhooks(tx: Kysely<Schema>, { text, wholeNumber, tableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("webhooks")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("url", text, (column) => column.notNull())
    .addColumn("event_types", text, (column) => column.notNull())
    .addColumn("includes_unpublished", wholeNumber, (column) =>
      column.notNull().check(sql`includes_unpublished in (0, 1)`),
    )
    .addColumn("secret", text, (column) => column.notNull())
    .addColumn("previous_secret", text)
    .addColumn("previous_until", text)
    .addColumn("cursor", text, (column) => column.notNull())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("disabled_at", text)
    .addColumn("disabled_by", text, (column) => column.check(sql`disabled_by in ('administrator', 'receiver')`))
    .modifyEnd(tableOptions)
    .execute();

  await tx.schema
    .createTable("webhook_deliveries")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("webhook_id", text, (column) => column.notNull().references("webhooks.id"))
    .addColumn("event_id", text, (column) => column.notNull())
    .addColumn("event_type", text, (column) => column.notNull())
    .addColumn("payload", text, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull().check(sql`state in ('PENDING', 'DELIVERED', 'FAILED')`))
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("due_at", text)
    .addColumn("claim", text)
    .addColumn("attempts", wholeNumber, (column) => column.notNull())
    .addColumn("failures", wholeNumber, (column) => column.notNull())
    .addColumn("last_attempt_at", text)
    .addColumn("last_status", wholeNumber)
    .addColumn("last_error", text)
    .modifyEnd(tableOptions)
    .execute();
  // Also what makes it certain that an event is one delivery for each webhook.
  await tx.schema
    .createIndex("webhook_deliveries_by_event")
    .on("webhook_deliveries")
    .columns(["webhook_id", "event_id"])
    .unique()
    .execute();
  await tx.schema
    .createIndex("webhook_deliveries_by_webhook")
    .on("webhook_deliveries")
    .columns(["webhook_id", "id"])
    .execute();
  await tx.schema
    .createIndex("webhook_deliveries_due")
    .on("webhook_deliveries")
    .columns(["webhook_id", "due_at"])
    .where(sql`due_at`, "is not", null)
    .execute();
  await tx.schema.createIndex("webhook_deliveries_by_age").on("webhook_deliveries").column("created_at").execute();
}

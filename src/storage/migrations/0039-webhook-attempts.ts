import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Attempts of deliveries, since when a webhook fails, and indexes for each filter of the list of deliveries. */
export async function webhookAttempts(tx: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { text, wholeNumber, keyedTableOptions } = dialect;
  await tx.schema
    .createTable("webhook_attempts")
    .addColumn("delivery_id", text, (column) =>
      column.notNull().references("webhook_deliveries.id").onDelete("cascade"),
    )
    .addColumn("number", wholeNumber, (column) => column.notNull())
    .addColumn("started_at", text, (column) => column.notNull())
    .addColumn("duration_ms", wholeNumber, (column) => column.notNull())
    .addColumn("status", wholeNumber)
    .addColumn("error", text)
    .addColumn("headers", text)
    .addColumn("answer", text)
    .addPrimaryKeyConstraint("webhook_attempts_key", ["delivery_id", "number"])
    .modifyEnd(keyedTableOptions)
    .execute();

  await tx.schema.alterTable("webhooks").addColumn("failing_since", text).execute();
  await tx.schema.alterTable("webhooks").addColumn("failing_reason", text).execute();
  await tx.schema.alterTable("webhook_deliveries").addColumn("post_id", text).execute();
  const postId = dialect.writesOneByOne
    ? sql<string>`json_extract(payload, '$.data.id')`
    : sql<string>`payload::json #>> '{data,id}'`;
  await sql`update webhook_deliveries set post_id = ${postId} where event_type like 'post.%'`.execute(tx);

  const index = (name: string, columns: string[]) =>
    tx.schema.createIndex(`webhook_deliveries_${name}`).on("webhook_deliveries").columns(columns);
  await tx.schema.dropIndex("webhook_deliveries_by_webhook").execute();
  await index("by_state", ["webhook_id", "state", "id"]).execute();
  await index("by_event_type", ["webhook_id", "event_type", "state", "id"]).execute();
  await index("by_post", ["post_id", "id"]).where(sql<boolean>`post_id is not null`).execute();
}

import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Which changes were made for requests that came with an Idempotency-Key. */
export async function idempotency(tx: Kysely<Schema>, { text, wholeNumber, tableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("idempotency")
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("field", wholeNumber, (column) => column.notNull())
    .addColumn("fingerprint", text, (column) => column.notNull())
    .addColumn("subject_id", text, (column) => column.notNull())
    .addColumn("created_at_seconds", wholeNumber, (column) => column.notNull())
    .addColumn("answer", text)
    .addPrimaryKeyConstraint("idempotency_by_id", ["id", "field"])
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema.createIndex("idempotency_by_age").on("idempotency").column("created_at_seconds").execute();
}

import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Decisions. One index besides the key: rows are written with every token, and read by an operator now and then. */
export async function audit(tx: Kysely<Schema>, { text, tableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("audit")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("at", text, (column) => column.notNull())
    .addColumn("event", text, (column) => column.notNull())
    .addColumn("result", text, (column) => column.notNull())
    .addColumn("user_id", text)
    .addColumn("client_id", text)
    .addColumn("address", text)
    .addColumn("request_id", text)
    .addColumn("detail", text)
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema.createIndex("audit_by_time").on("audit").columns(["at", "id"]).execute();
}

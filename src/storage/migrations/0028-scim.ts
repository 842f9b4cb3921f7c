import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** People whom other services have made or named by SCIM. `external_id` compares byte by byte. */
export async function scim(tx: Kysely<Schema>, { text, keyedTableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("scim_users")
    .addColumn("user_id", text, (column) => column.notNull().references("users.id"))
    .addColumn("provider", text, (column) => column.notNull())
    .addColumn("external_id", text)
    .addColumn("made", "integer", (column) => column.notNull())
    .addColumn("disabled_at", text)
    .addColumn("created_at", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("scim_users_key", ["user_id", "provider"])
    .modifyEnd(keyedTableOptions)
    .execute();
  await tx.schema
    .createIndex("scim_users_by_external_id")
    .on("scim_users")
    .columns(["provider", "external_id"])
    .execute();
}

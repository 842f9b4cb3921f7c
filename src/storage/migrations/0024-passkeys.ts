import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Credentials of Web Authentication, by which people sign in without a password. */
export async function passkeys(tx: Kysely<Schema>, { text, wholeNumber, keyedTableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("passkeys")
    .addColumn("credential_id", text, (column) => column.primaryKey().notNull())
    .addColumn("user_id", text, (column) => column.notNull().references("users.id"))
    .addColumn("user_handle", text, (column) => column.notNull())
    .addColumn("public_key", text, (column) => column.notNull())
    .addColumn("rp_id", text, (column) => column.notNull())
    .addColumn("counter", wholeNumber, (column) => column.notNull())
    .addColumn("transports", text, (column) => column.notNull())
    .addColumn("aaguid", text, (column) => column.notNull())
    .addColumn("backup_eligible", wholeNumber, (column) => column.notNull())
    .addColumn("backed_up", wholeNumber, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("used_at", text)
    .modifyEnd(keyedTableOptions)
    .execute();
  await tx.schema.createIndex("passkeys_by_person").on("passkeys").columns(["user_id", "created_at"]).execute();
}

import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** The second step of sign-in: authenticator apps and recovery codes. */
export async function secondStep(tx: Kysely<Schema>, { text, wholeNumber, keyedTableOptions }: Dialect): Promise<void> {
  await tx.schema
    .alterTable("users")
    .addColumn("second_step", wholeNumber, (column) => column.notNull().defaultTo(0))
    .execute();

  await tx.schema
    .createTable("totp_factors")
    .addColumn("user_id", text, (column) => column.primaryKey().notNull().references("users.id"))
    .addColumn("secret", text, (column) => column.notNull())
    .addColumn("confirmed_at", text, (column) => column.notNull())
    .addColumn("last_step", wholeNumber, (column) => column.notNull())
    .addColumn("failures", wholeNumber, (column) => column.notNull())
    .modifyEnd(keyedTableOptions)
    .execute();

  await tx.schema
    .createTable("recovery_codes")
    .addColumn("user_id", text, (column) => column.notNull().references("users.id"))
    .addColumn("hash", text, (column) => column.notNull())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("used_at", text)
    .addPrimaryKeyConstraint("recovery_codes_key", ["user_id", "hash"])
    .modifyEnd(keyedTableOptions)
    .execute();
}

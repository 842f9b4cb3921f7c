import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/**
 * Accounts at other services by which people sign in, and people who may go around a service that is enforced for their domain. The key
 * compares byte by byte: subjects in other case are other accounts.
 */
export async function upstreams(tx: Kysely<Schema>, { text, wholeNumber, keyedTableOptions }: Dialect): Promise<void> {
  await tx.schema
    .alterTable("users")
    .addColumn("local_sign_in", wholeNumber, (column) => column.notNull().defaultTo(0))
    .execute();

  await tx.schema
    .createTable("upstream_identities")
    .addColumn("provider", text, (column) => column.notNull())
    .addColumn("subject", text, (column) => column.notNull())
    .addColumn("user_id", text, (column) => column.notNull().references("users.id"))
    .addColumn("email_at_link", text)
    .addColumn("linked_at", text, (column) => column.notNull())
    .addColumn("used_at", text)
    .addPrimaryKeyConstraint("upstream_identities_key", ["provider", "subject"])
    .modifyEnd(keyedTableOptions)
    .execute();
  await tx.schema.createIndex("upstream_identities_by_user_id").on("upstream_identities").column("user_id").execute();
}

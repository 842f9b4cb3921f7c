import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Keys that sign from a later moment on, what clients want signed and told, and sign-in attempts of all processes. */
export async function keysAndSignOut(
  tx: Kysely<Schema>,
  { text, wholeNumber, keyedTableOptions }: Dialect,
): Promise<void> {
  await tx.schema
    .alterTable("signing_keys")
    .addColumn("signs_from", text, (column) => column.notNull().defaultTo(""))
    .execute();
  await tx
    .updateTable("signing_keys")
    .set(({ ref }) => ({ signs_from: ref("created_at") }))
    .execute();

  await tx.schema
    .alterTable("clients")
    .addColumn("id_token_algorithm", text, (column) =>
      column.notNull().defaultTo("ES256").check(sql`id_token_algorithm in ('ES256', 'RS256')`),
    )
    .execute();
  await tx.schema.alterTable("clients").addColumn("backchannel_logout_uri", text).execute();

  await tx.schema
    .createTable("attempts")
    .addColumn("key", text, (column) => column.primaryKey().notNull())
    .addColumn("count", wholeNumber, (column) => column.notNull())
    .addColumn("ends_at_seconds", wholeNumber, (column) => column.notNull())
    .modifyEnd(keyedTableOptions)
    .execute();
  await tx.schema.createIndex("attempts_by_end").on("attempts").column("ends_at_seconds").execute();
}

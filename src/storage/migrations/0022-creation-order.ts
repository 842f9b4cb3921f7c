import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** The `created_at` and the id of what was created last, so that the next one follows it. */
export async function creationOrder(tx: Kysely<Schema>, { text, keyedTableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("creations")
    .addColumn("subject", text, (column) => column.primaryKey().notNull())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("id", text, (column) => column.notNull())
    .modifyEnd(keyedTableOptions)
    .execute();
  for (const table of ["posts", "users"] as const) {
    await sql`insert into creations (subject, created_at, id)
      select ${sql.lit(table)}, coalesce(max(created_at), ''), coalesce(max(id), '') from ${sql.table(table)}`.execute(
      tx,
    );
  }
}

import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** People who write a post now. An announcement changes no column of an index, which keeps it cheap on PostgreSQL. */
export async function editing(tx: Kysely<Schema>, { text, wholeNumber, keyedTableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("post_editing")
    .addColumn("post_id", text, (column) => column.notNull())
    .addColumn("user_id", text, (column) => column.notNull())
    .addColumn("at_ms", wholeNumber, (column) => column.notNull())
    .addPrimaryKeyConstraint("post_editing_by_post", ["post_id", "user_id"])
    .modifyEnd(keyedTableOptions)
    .execute();
}

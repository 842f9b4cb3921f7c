import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Points that each process took from the buckets of rate limits, for the other processes. */
export async function rateLimits(tx: Kysely<Schema>, { text, wholeNumber, tableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("rate_limits")
    .addColumn("process", text, (column) => column.notNull())
    .addColumn("number", wholeNumber, (column) => column.notNull())
    .addColumn("at_ms", wholeNumber, (column) => column.notNull())
    .addColumn("taken", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("rate_limits_by_process", ["process", "number"])
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema.createIndex("rate_limits_by_age").on("rate_limits").column("at_ms").execute();
}

import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Which processes read from the replica: see postgres-replica.ts. */
export async function replicaReaders(
  tx: Kysely<Schema>,
  { text, wholeNumber, keyedTableOptions }: Dialect,
): Promise<void> {
  await tx.schema
    .createTable("replica_readers")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("until_ms", wholeNumber, (column) => column.notNull())
    .modifyEnd(keyedTableOptions)
    .execute();
}

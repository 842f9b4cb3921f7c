import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { Step } from "./migration.ts";
import { dropTable } from "./steps.ts";

/** Rows that are locked as gates: see postgres/locks.ts. */
const LAST_GATE = 1_023;
/** The row that is written to when an engine is tested. */
const TEST_ROW = -1;

/** Rows to lock, for engines whose advisory locks do not lock. They may be there already: the first migration needs them. */
export async function makeGates(
  tx: Kysely<Schema>,
  { writesOneByOne, wholeNumber, tableOptions }: Dialect,
): Promise<void> {
  if (writesOneByOne) return; // needs no locks beside the one of the database
  await tx.schema
    .createTable("gates")
    .ifNotExists()
    .addColumn("id", wholeNumber, (column) => column.primaryKey().notNull())
    .addColumn("n", wholeNumber, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
  const all = sql`select id, 0 from generate_series(${sql.lit(TEST_ROW)}, ${sql.lit(LAST_GATE)}) as rows (id)`;
  await sql`insert into gates (id, n) ${all} on conflict (id) do nothing`.execute(tx);
}

export const gates: readonly Step[] = [{ kind: "change", run: makeGates }];

export const withoutGates: readonly Step[] = [dropTable("gates")];

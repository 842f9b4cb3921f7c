import type { Step } from "./migration.ts";
import { createTable, dropTable } from "./steps.ts";

/** Programs of this schema serve what comes: they know of no limit, and the next contract migration sets one. */
const FIRST_LIMIT = 41;

/**
 * Processes that serve the database, and limits of the programs that may. From here on, an older program may go on serving a
 * newer schema.
 */
export const nodes: readonly Step[] = [
  createTable(
    "nodes",
    (table, { text, wholeNumber }) =>
      table
        .addColumn("id", text, (column) => column.primaryKey().notNull())
        .addColumn("version", text, (column) => column.notNull())
        .addColumn("schema", wholeNumber, (column) => column.notNull())
        .addColumn("host", text, (column) => column.notNull())
        .addColumn("pid", wholeNumber, (column) => column.notNull())
        .addColumn("started_ms", wholeNumber, (column) => column.notNull())
        .addColumn("seen_ms", wholeNumber, (column) => column.notNull()),
    { isKeyed: true },
  ),
  createTable(
    "schema_limits",
    (table, { text, wholeNumber }) =>
      table
        .addColumn("name", text, (column) => column.primaryKey().notNull())
        .addColumn("schema", wholeNumber, (column) => column.notNull()),
    { isKeyed: true },
  ),
  {
    kind: "change",
    async run(tx) {
      const limit = { name: "min_program", schema: FIRST_LIMIT };
      await tx
        .insertInto("schema_limits")
        .values(limit)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  },
];

export const withoutNodes: readonly Step[] = [dropTable("nodes"), dropTable("schema_limits")];

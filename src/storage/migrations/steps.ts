import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { ChangeStep } from "./migration.ts";

/** Columns and constraints of a new table. */
type Columns = (table: CreateTableBuilder<string, never>, dialect: Dialect) => CreateTableBuilder<string, string>;

/** @param isKeyed whether its rows are small and found by their primary key */
export function createTable(name: string, columns: Columns, { isKeyed = false } = {}): ChangeStep {
  return {
    kind: "change",
    async run(tx, dialect) {
      const options = isKeyed ? dialect.keyedTableOptions : dialect.tableOptions;
      await columns(tx.schema.createTable(name).ifNotExists(), dialect).modifyEnd(options).execute();
    },
  };
}

export function dropTable(name: string): ChangeStep {
  return { kind: "change", run: (tx) => tx.schema.dropTable(name).ifExists().execute() };
}

/**
 * Adds a column that is null in old rows, or has a constant in them. Neither database touches the rows for that.
 *
 * @param definition its type and, for a constant, ` not null default …`
 */
export function addColumn(
  table: string,
  column: string,
  definition: (dialect: Dialect) => RawBuilder<unknown>,
): ChangeStep {
  return {
    kind: "change",
    async run(tx, dialect) {
      if (await hasColumn(tx, dialect, table, column)) return;
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${definition(dialect)}`.execute(tx);
    },
  };
}

/** SQLite writes all rows anew, so give the migration a cost for its table. */
export function dropColumn(table: string, column: string): ChangeStep {
  return {
    kind: "change",
    async run(tx, dialect) {
      if (!(await hasColumn(tx, dialect, table, column))) return;
      await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(tx);
    },
  };
}

async function hasColumn(db: Kysely<Schema>, { columnsOf }: Dialect, table: string, column: string): Promise<boolean> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${columnsOf(table)} as c where name = ${column}`.execute(db);
  return rows.length > 0;
}

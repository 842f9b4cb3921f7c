import { sql } from "kysely";
import { columnOf, type StoredColumn } from "../database/columns.ts";
import type { Dialect } from "../database/database.ts";
import { column, type Piece, type Selection } from "./read-pieces.ts";

/** SQL for the JSON of a stored field, in the row that has this alias. */
export function storedValue(dialect: Dialect, type: Selection["type"], field: string, row: string): Piece[] {
  const stored = columnOf(type, field);
  const value = filledIn(stored, type, row);
  const isNullable = stored.ifMissing === null;
  switch (stored.json) {
    case "plain":
      return isNullable ? [sql<string>`coalesce('"' || nullif(${value}, '') || '"', 'null')`] : ['"', value, '"'];
    case "integer": {
      const text = sql<string>`cast(${value} as text)`;
      return [isNullable ? sql<string>`coalesce(${text}, 'null')` : text];
    }
    case "boolean":
      return [sql<string>`case ${value} when 1 then 'true' else 'false' end`];
    case "text": {
      const quoted = dialect.quote(value);
      return [isNullable ? sql<string>`coalesce(${quoted}, 'null')` : quoted];
    }
  }
}

/** SQL for the value, with what stands for a missing one. */
function filledIn({ name, ifMissing }: StoredColumn, type: Selection["type"], row: string) {
  const own = column(row, name);
  if (ifMissing === undefined || ifMissing === null) return own;
  const other = typeof ifMissing === "object" ? column(row, columnOf(type, ifMissing.field).name) : sql.lit(ifMissing);
  return sql<string>`coalesce(${own}, ${other})`;
}

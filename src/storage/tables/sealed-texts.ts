import { sql } from "kysely";
import {
  SEALED_COLUMNS,
  type SealedKey,
  type SealedTable,
  type SealedText,
  type SealedTextStore,
} from "../../domain/store/sealed-texts.ts";
import type { Database } from "../database/database.ts";

/** The key columns of each table; null where the id is unique. */
const KEYS: Record<SealedTable, { readonly id: string; readonly part: string | null; readonly isNumber?: true }> = {
  artifacts: { id: "id_hash", part: "kind" },
  signing_keys: { id: "kid", part: null },
  totp_factors: { id: "user_id", part: null },
  webhooks: { id: "id", part: null },
  idempotency: { id: "id", part: "field", isNumber: true },
};

export function openSealedTexts(database: Database): SealedTextStore {
  const { read } = database;
  const partOf = (table: SealedTable, part: string) => (KEYS[table].isNumber ? Number(part) : part);

  return {
    async page(table, after, limit) {
      const { id, part } = KEYS[table];
      const [idRef, partRef] = [sql.ref(id), part === null ? null : sql.ref(part)];
      const columns: readonly string[] = SEALED_COLUMNS[table];
      const rest =
        after === null
          ? sql``
          : partRef === null
            ? sql`WHERE ${idRef} > ${after.id}`
            : sql`WHERE ${idRef} > ${after.id} OR (${idRef} = ${after.id} AND ${partRef} > ${partOf(table, after.part)})`;
      const { rows } = await sql<Record<string, unknown>>`
        SELECT ${idRef} AS row_id, ${partRef ?? sql.lit("")} AS row_part, ${sql.join(columns.map((name) => sql.ref(name)))}
        FROM ${sql.table(table)} ${rest}
        ORDER BY ${idRef}${partRef === null ? sql`` : sql`, ${partRef}`} LIMIT ${sql.lit(limit)}`.execute(read);
      const keyOf = (row: Record<string, unknown>): SealedKey => ({
        id: String(row.row_id),
        part: String(row.row_part),
      });
      const texts = rows.flatMap((row) =>
        columns.flatMap((column): SealedText[] => {
          const sealed = row[column];
          return typeof sealed === "string" && sealed !== "" ? [{ table, column, sealed, ...keyOf(row) }] : [];
        }),
      );
      const lastRow = rows.length < limit ? undefined : rows.at(-1);
      return { texts, last: lastRow === undefined ? null : keyOf(lastRow) };
    },

    async replace(texts) {
      const queries = texts.map(({ text: { table, column, id, part, sealed: before }, sealed }) => {
        const key = KEYS[table];
        const isRow =
          key.part === null
            ? sql`${sql.ref(key.id)} = ${id}`
            : sql`${sql.ref(key.id)} = ${id} AND ${sql.ref(key.part)} = ${partOf(table, part)}`;
        const ref = sql.ref(column);
        return sql`UPDATE ${sql.table(table)} SET ${ref} = ${sealed} WHERE ${isRow} AND ${ref} = ${before}`.compile(
          read,
        );
      });
      if (queries.length > 0) await database.writeAtOnce(queries);
    },
  };
}

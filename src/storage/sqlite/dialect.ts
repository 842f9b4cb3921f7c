import { sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import { isBusy } from "./errors.ts";
import { sqliteSearch } from "./search.ts";

/** SQLite's own form of statements. */
export const sqliteDialect: Dialect = {
  text: sql`text`,
  wholeNumber: sql`integer`,
  rowNumber: sql`integer primary key`,
  tableOptions: sql`strict`,
  keyedTableOptions: sql`strict, without rowid`,
  nowMs: sql`cast(unixepoch('subsec') * 1000 as integer)`,
  plansByLimits: false, // not behind a cast: see limitParam
  quote: (text) => sql<string>`json_quote(${text})`,
  join: (texts) => sql<string>`concat(${sql.join(texts)})`,
  elements: (array) => sql`(select key as position, value from json_each(${array}))`,
  isOneOfFew: (value, query) => sql<boolean>`${value} in (${query})`,
  search: sqliteSearch,
  announcement: () => null,
  hasTable: async (db, table) =>
    (await sql`select 1 from sqlite_schema where type = 'table' and name = ${table}`.execute(db)).rows.length > 0,
  locksRows: false,
  writesOneByOne: true, // whoever writes holds the whole database, and so:
  databaseBytes: sql`(select page_count * page_size from pragma_page_count(), pragma_page_size())`,
  processes: sql`null`,
  notByIndex: (column) => sql`+${sql.ref(column)}`,
  lock: async () => {},
  entering: (_gate, value) => sql`${value}`,
  shut: async () => {},
  tryShut: async () => true,
  columnsOf: (table) => sql`(select name from pragma_table_info(${table}))`,
  indexState: async (db, index) => {
    const { rows } = await sql`select 1 from sqlite_schema where type = 'index' and name = ${index}`.execute(db);
    return rows.length > 0 ? "whole" : "missing";
  },
  countRows: (table) => sql`(select count(*) from ${sql.table(table)})`,
  isBusy: (error) => error instanceof Error && isBusy(error.cause),
  nextMillisecond: (time) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, '+0.001 seconds')`,
  following: (last, candidate) => sql`case when ${last} < ${candidate} then ${candidate} end`,
};

import { sql } from "kysely";
import type { Dialect } from "./database.ts";
import { CHANNEL, writeChange } from "./postgres-listener.ts";

/** Namespace of our advisory locks ("capi"). */
const LOCKS = 0x63617069;

export const postgresDialect: Dialect = {
  text: sql`text collate "C"`,
  wholeNumber: sql`bigint`,
  tableOptions: sql``,
  keyedTableOptions: sql``,
  writesOneByOne: false,
  plansByLimits: true, // it takes a tenth of all rows for the limit that it does not know, and so never settles on one plan
  quote: (text) => sql<string>`to_json(${text})::text`,
  join: (texts) => sql<string>`(${sql.join(texts, sql` || `)})`, // a fifth faster than concat
  announcement: (change) => sql`select pg_notify(${sql.lit(CHANNEL)}, ${writeChange(change)})`,
  hasTable: async (db, table) => {
    const { rows } = await sql<{ oid: number | null }>`select to_regclass(${table})::oid as oid`.execute(db);
    return rows[0]?.oid != null;
  },
  lock: async (tx, table) => {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx);
  },
  entering: (gate, value) =>
    sql`(select ${value} from pg_advisory_xact_lock_shared(${sql.lit(LOCKS)}, hashtext(${gate})))`,
  // Writers at the same time commit in any order, so this is common. Their random steps keep them apart.
  following: (last, candidate) => sql`case
    when ${last} < ${candidate} then ${candidate}
    when right(${last}, 12) < 'fffffff00000' then left(${last}, 24) || lpad(
      to_hex(('x' || right(${last}, 12))::bit(48)::bigint + 1 + (random() * 1000000)::bigint), 12, '0') end`,
  shut: async (tx, gate) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS)}, hashtext(${gate}))`.execute(tx);
  },
};

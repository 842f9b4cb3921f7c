import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Namespace of our advisory locks ("capi"). */
export const LOCKS = 0x63617069;

type Locking = Pick<Dialect, "lock" | "entering" | "shut" | "tryShut" | "locksRows">;

/** Gates as transaction-level advisory locks. */
export const advisoryLocks: Locking = {
  locksRows: false,
  lock: async (tx, table) => {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx);
  },
  entering: (gate, value) =>
    sql`(select ${value} from pg_advisory_xact_lock_shared(${sql.lit(LOCKS)}, hashtext(${gate})))`,
  tryShut: async (tx, gate) => {
    const { rows } = await sql<{
      shut: number;
    }>`select pg_try_advisory_xact_lock(${sql.lit(LOCKS)}, hashtext(${gate}))::int
      as shut`.execute(tx);
    await endSnapshot(tx);
    return rows[0]?.shut === 1;
  },
  shut: async (tx, gate) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCKS)}, hashtext(${gate}))`.execute(tx);
  },
};

/** The gate that nearly every write of content enters. No other one shares its row, so that none waits for all of them. */
const BUSIEST = "outbox";
/** Rows of the table `gates`, and those that are for gates with a row of their own. */
const GATES = 1_024;
const OWN = 16;

/** SQL for the row of a gate. Gates that share a row wait for each other without need; two in opposite order end with 40P01. */
const rowOf = (gate: Expression<string | null>): RawBuilder<number> => sql`(case ${gate} when ${sql.lit(BUSIEST)} then 0
  else ${sql.lit(OWN)} + ('x' || left(md5(${gate}), 6))::bit(24)::integer % ${sql.lit(GATES - OWN)} end)`;

/**
 * Gates as rows of the table `gates`, for engines whose advisory locks do not lock. KEY SHARE is the weakest lock of a row that
 * waits for FOR UPDATE, and the other way round. A missing row gives null, which no column takes that is written inside a gate.
 */
export const rowLocks: Locking = {
  locksRows: true,
  // Nobody adds rows to these tables without the same gate, or without the row of `creations`, which is locked before.
  lock: (tx, table) => shut(tx, `table ${table}`),
  entering: (gate, value) => sql`(case when ${gate} is null
    or (select n from gates where id = ${rowOf(gate)} for key share) >= 0 then ${value} end)`,
  tryShut: async (tx, gate) => {
    const { rows } = await sql`select n from gates where id = ${rowOf(sql.lit(gate))} for update skip locked`.execute(
      tx,
    );
    await endSnapshot(tx);
    return rows.length > 0;
  },
  shut,
};

/** The portal of a SELECT keeps its snapshot until the next statement, and an index that is built waits for snapshots. */
async function endSnapshot(tx: Kysely<Schema>): Promise<void> {
  await sql`set constraints all immediate`.execute(tx);
}

async function shut(tx: Kysely<Schema>, gate: string): Promise<void> {
  const { rows } = await sql`select n from gates where id = ${rowOf(sql.lit(gate))} for update`.execute(tx);
  if (rows.length === 0) throw new AppError("INTERNAL", "A row of the table gates is missing.");
}

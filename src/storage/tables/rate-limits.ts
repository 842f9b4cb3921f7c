import { type Kysely, sql } from "kysely";
import type { RateLimitStore } from "../../domain/store/rate-limits.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Milliseconds to wait for a lock: what comes late tells little. */
const PATIENCE = 1_000;
/** Limit: batches in one read, an hour of three processes. */
const AT_ONCE = 10_000;

/**
 * A row for each batch, which is written once and never changed, by its process alone: nobody waits for anybody, and
 * whoever reads knows by the number of the last one what is new.
 */
export function openRateLimits(database: Database): RateLimitStore {
  const { dialect } = database;
  const now = sql<number>`(select ${dialect.nowMs})`; // once, so that PostgreSQL can look into the index for it

  /** On PostgreSQL not on the connections for reading: what had to wait there would hold up the reads of requests. */
  function look<T>(job: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
    return dialect.writesOneByOne ? job(database.read) : database.write(job, PATIENCE);
  }

  return {
    async tell(process, number, taken) {
      const batch = { process, number, taken: JSON.stringify(taken), at_ms: now };
      await database.write(
        (tx) =>
          tx
            .insertInto("rate_limits")
            .values(batch)
            .onConflict((conflict) => conflict.columns(["process", "number"]).doNothing())
            .execute(),
        PATIENCE,
      );
    },

    async hear(process, heard, milliseconds) {
      const rows = await look((db) => {
        let query = db
          .selectFrom("rate_limits")
          .select(["process", "number", "taken", sql<number>`${now} - at_ms`.as("age")])
          .where("at_ms", ">=", sql<number>`${now} - ${milliseconds}`)
          .where("process", "<>", process);
        for (const [other, number] of heard)
          query = query.where(({ eb, or }) => or([eb("process", "<>", other), eb("number", ">", number)]));
        return query.orderBy("at_ms", "desc").orderBy("number", "desc").limit(AT_ONCE).execute();
      });
      return rows
        .map(({ process, number, taken, age }) => ({
          process,
          number: Number(number),
          taken: JSON.parse(taken) as Record<string, number>,
          age: Math.max(0, Number(age)),
        }))
        .reverse();
    },

    async sweep(milliseconds) {
      await database.write(
        (tx) => tx.deleteFrom("rate_limits").where("at_ms", "<", sql<number>`${now} - ${milliseconds}`).execute(),
        PATIENCE,
      );
    },
  };
}

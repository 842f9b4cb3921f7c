import type { Kysely } from "kysely";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

export function openAttempts(database: Database): AttemptStore {
  const { read } = database;

  async function count(tx: Kysely<Schema>, key: string, windowSeconds: number, nowSeconds: number): Promise<number> {
    const endsAt = nowSeconds + windowSeconds;
    const row = await tx
      .insertInto("attempts")
      .values({ key, count: 1, ends_at_seconds: endsAt })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet(({ eb, ref }) => {
          // Over; or begun by a clock that was ahead of this one, which must not make it last (F14).
          const isOver = eb.or([
            eb("attempts.ends_at_seconds", "<=", nowSeconds),
            eb("attempts.ends_at_seconds", ">", endsAt),
          ]);
          return {
            count: eb
              .case()
              .when(isOver)
              .then(1)
              .else(eb("attempts.count", "+", 1))
              .end(),
            ends_at_seconds: eb.case().when(isOver).then(endsAt).else(ref("attempts.ends_at_seconds")).end(),
          };
        }),
      )
      .returning("count")
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  return {
    add: (key, windowSeconds, nowSeconds) => database.write((tx) => count(tx, key, windowSeconds, nowSeconds)),

    addAll: (attempts, nowSeconds) =>
      database.write(async (tx) => {
        const counts: number[] = [];
        for (const { key, windowSeconds } of attempts) counts.push(await count(tx, key, windowSeconds, nowSeconds));
        return counts;
      }),

    async claimOnce(key, untilSeconds, nowSeconds) {
      const query = read
        .insertInto("attempts")
        .values({ key, count: 1, ends_at_seconds: untilSeconds })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet({ ends_at_seconds: untilSeconds })
            .where("attempts.ends_at_seconds", "<=", nowSeconds),
        );
      const [changed] = await database.writeAtOnce([query.compile()]);
      return changed === 1;
    },

    async withdraw(key) {
      const query = read
        .updateTable("attempts")
        .set(({ eb }) => ({ count: eb("count", "-", 1) }))
        .where("key", "=", key)
        .where("count", ">", 0);
      await database.writeAtOnce([query.compile()]);
    },

    async clear(key) {
      await database.writeAtOnce([read.deleteFrom("attempts").where("key", "=", key).compile()]);
    },

    async sweep(nowSeconds, limit) {
      const query = read
        .deleteFrom("attempts")
        .where("key", "in", (eb) =>
          eb.selectFrom("attempts").select("key").where("ends_at_seconds", "<=", nowSeconds).limit(limit),
        );
      const [changed = 0] = await database.writeAtOnce([query.compile()]);
      return changed;
    },
  };
}

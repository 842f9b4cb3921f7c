import type { Kysely } from "kysely";
import type { Id } from "../../domain/id.ts";
import { type IdempotencyStore, KeyInUse, type Once, REMEMBERED_SECONDS } from "../../domain/idempotency.ts";
import type { Database } from "../database/database.ts";
import { noteKey } from "../database/noted-keys.ts";
import type { Schema } from "../database/schema.ts";

/** @param now Unix time in milliseconds */
export function openIdempotency(database: Database, now: () => number): IdempotencyStore {
  const { read } = database;

  return {
    async find(id) {
      const rows = await read
        .selectFrom("idempotency")
        .select(["field", "fingerprint", "subject_id", "answer"])
        .where("id", "=", id)
        .where("created_at_seconds", ">", forgottenUntil(now))
        .orderBy("field")
        .execute();
      return rows.map(({ field, fingerprint, subject_id, answer }) => ({
        field: Number(field),
        fingerprint,
        subjectId: subject_id,
        answer,
      }));
    },

    async keepAnswer(id, field, answer) {
      const query = read.updateTable("idempotency").set({ answer }).where("id", "=", id).where("field", "=", field);
      await database.writeAtOnce([query.compile()]);
    },

    async sweep(limit) {
      const until = forgottenUntil(now);
      const query = read
        .deleteFrom("idempotency")
        .where("created_at_seconds", "<=", until)
        .where("id", "in", (eb) =>
          eb
            .selectFrom("idempotency")
            .select("id")
            .where("created_at_seconds", "<=", until)
            .orderBy("created_at_seconds")
            .limit(limit),
        );
      const [changed = 0] = await database.writeAtOnce([query.compile()]);
      return changed;
    },
  };
}

/**
 * Notes within a transaction that it makes this change. To be done before anything else in it: whoever comes second waits
 * here, with nothing locked yet, until the first one is over.
 *
 * @throws KeyInUse when the change has been made
 */
export async function remember(
  tx: Kysely<Schema>,
  { id, field, fingerprint }: Once,
  subjectId: Id,
  now: () => number,
): Promise<void> {
  const fresh = { fingerprint, subject_id: subjectId, created_at_seconds: Math.floor(now() / 1_000), answer: null };
  const row = await tx
    .insertInto("idempotency")
    .values({ id, field, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(["id", "field"])
        .doUpdateSet(fresh)
        .where("idempotency.created_at_seconds", "<=", forgottenUntil(now)),
    )
    .returning("field")
    .executeTakeFirst();
  if (row === undefined) {
    const other = await tx
      .selectFrom("idempotency")
      .select(["fingerprint", "subject_id"])
      .where("id", "=", id)
      .where("field", "=", field)
      .executeTakeFirst();
    throw new KeyInUse(other?.fingerprint === fingerprint ? other.subject_id : null);
  }
  noteKey(tx, subjectId);
}

function forgottenUntil(now: () => number): number {
  return Math.floor(now() / 1_000) - REMEMBERED_SECONDS;
}

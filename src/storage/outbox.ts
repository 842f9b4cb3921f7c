import type { Kysely } from "kysely";
import type { ContentEvent, OutboxStore } from "../domain/event.ts";
import type { Id } from "../domain/id.ts";
import type { Database, Dialect } from "./database.ts";
import type { Schema } from "./schema.ts";

/**
 * Whoever adds an event is inside this gate from before it reads the last id until it has committed. A reader that
 * shuts it for a moment has before it every event with an id up to the last one it sees.
 */
export const OUTBOX_GATE = "outbox";

export function openOutbox(database: Database): OutboxStore {
  const { read, dialect } = database;

  return {
    async list(after, limit) {
      const events = await select(read, after, limit);
      if (events.length === 0 || dialect.writesOneByOne) return events;
      return database.write(async (tx) => {
        await dialect.shut(tx, OUTBOX_GATE);
        return select(tx, after, limit);
      });
    },

    async last() {
      if (dialect.writesOneByOne) return newest(read);
      return database.write((tx) => lastEvent(tx, dialect));
    },
  };
}

/** The id of the newest event, null when there is none. What is committed later follows it. */
export async function lastEvent(tx: Kysely<Schema>, { shut }: Dialect): Promise<Id | null> {
  await shut(tx, OUTBOX_GATE);
  return newest(tx);
}

async function newest(db: Kysely<Schema>): Promise<Id | null> {
  const row = await db.selectFrom("outbox").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? null;
}

async function select(db: Kysely<Schema>, after: Id | null, limit: number): Promise<ContentEvent[]> {
  let query = db.selectFrom("outbox").selectAll().orderBy("id").limit(limit);
  if (after !== null) query = query.where("id", ">", after);
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    subjectId: row.subject_id,
    occurredAt: row.occurred_at,
    data: row.data,
  }));
}

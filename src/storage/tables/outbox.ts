import type { Kysely } from "kysely";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { ContentEvent, EventType, OutboxStore } from "../../domain/events/event.ts";
import type { Id } from "../../domain/id.ts";
import type { Database, Dialect } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { bind, param, type Statement, statement } from "../database/statement.ts";
import { textOf } from "./slugs.ts";

/**
 * A writer of an event holds this gate from before it reads the last id until its commit. A reader that
 * shuts it for a moment sees every event with an id up to the last one it sees.
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

/** The id of the newest event, null if there is none. Later commits have greater ids. */
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

export interface NewEvent {
  readonly type: EventType;
  readonly subjectId: Id;
  readonly occurredAt: string;
  /** JSON text. */
  readonly data: string;
}

/** Event whose time comes from the database. Its data is JSON text before and behind that time. */
interface EventOfCreation extends Pick<NewEvent, "type" | "subjectId"> {
  readonly dataAround: readonly [before: string, behind: string];
}

/** Adds events to the outbox, within transactions that are inside OUTBOX_GATE before they do. */
export class EventWriter {
  readonly #ids: IdSource;
  readonly #last: Statement<{ id: Id | null }>;
  readonly #insert: Statement;

  /** @param at SQL for the time of all its events, where they do not bring one; it then stands in the middle of their data */
  constructor({ read, dialect }: Database, ids: IdSource, at: RawBuilder<string> | null = null) {
    this.#ids = ids;
    this.#last = statement(() => read.selectFrom("outbox").select((eb) => eb.fn.max("id").as("id")));
    // Readers of the outbox go on from the last id they saw, so an event follows whatever they can have seen.
    this.#insert = statement(() =>
      read.insertInto("outbox").values({
        id: sql<Id>`(select ${dialect.following(sql.ref("last"), sql`cast(${param(0)} as text)`)}
          from (select coalesce(max(id), '') as last from outbox) as events)`,
        type: param<EventType>(1),
        subject_id: param<Id>(2),
        occurred_at: at ?? param<string>(3),
        data: at === null ? param<string>(4) : sql<string>`${textOf(param(3))} || ${at} || ${textOf(param(4))}`,
      }),
    );
  }

  /** The statement for one event. It is a conflict where the clock of another process is ahead: then `add` serves. */
  insertion(event: NewEvent | EventOfCreation, after: Id | null = null): CompiledQuery {
    const { type, subjectId } = event;
    const rest = "data" in event ? [event.occurredAt, event.data] : event.dataAround;
    return bind(this.#insert, this.#ids.next(after), type, subjectId, ...rest);
  }

  async add(tx: Kysely<Schema>, event: NewEvent | EventOfCreation): Promise<void> {
    const { rows } = await tx.executeQuery(bind(this.#last));
    await tx.executeQuery(this.insertion(event, rows[0]?.id ?? null));
  }
}

import { type CompiledQuery, type Kysely, sql } from "kysely";
import { AppError } from "../domain/errors.ts";
import type { EventType } from "../domain/event.ts";
import type { Id } from "../domain/id.ts";
import type { Database } from "./database.ts";
import type { IdSource } from "./ids.ts";
import type { Schema } from "./schema.ts";
import { bind, param, type Statement, statement } from "./statement.ts";

export interface NewEvent {
  readonly type: EventType;
  readonly subjectId: Id;
  readonly occurredAt: string;
  /** JSON text. */
  readonly data: string;
}

/** Adds events to the outbox, within transactions that are inside OUTBOX_GATE before they do. */
export class EventWriter {
  readonly #ids: IdSource;
  readonly #last: Statement<{ id: Id | null }>;
  readonly #insert: Statement;

  constructor({ read, dialect }: Database, ids: IdSource) {
    this.#ids = ids;
    this.#last = statement(() => read.selectFrom("outbox").select((eb) => eb.fn.max("id").as("id")));
    // Readers of the outbox go on from the last id they saw, so an event follows whatever they can have seen.
    this.#insert = statement(() =>
      read.insertInto("outbox").values({
        id: sql<Id>`(select ${dialect.following(sql.ref("last"), sql`cast(${param(0)} as text)`)}
          from (select coalesce(max(id), '') as last from outbox) as events)`,
        type: param<EventType>(1),
        subject_id: param<Id>(2),
        occurred_at: param<string>(3),
        data: param<string>(4),
      }),
    );
  }

  /** The statement for one event. It is a conflict where the clock of another process is ahead: then `add` serves. */
  insertion({ type, subjectId, occurredAt, data }: NewEvent, after: Id | null = null): CompiledQuery {
    return bind(this.#insert, this.#ids.next(after), type, subjectId, occurredAt, data);
  }

  async add(tx: Kysely<Schema>, event: NewEvent): Promise<void> {
    const { rows } = await tx.executeQuery(bind(this.#last));
    await tx.executeQuery(this.insertion(event, rows[0]?.id ?? null));
  }
}

/** How often a write is made again while others are after the same. */
const ATTEMPTS = 20;

/** @param mayRetry which failures mean that another attempt may succeed */
export async function untilNoRace<T>(write: () => Promise<T>, mayRetry = isRace): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === ATTEMPTS || !mayRetry(error)) throw error;
    }
  }
}

/** Whether two writes were after the same, so that another attempt may succeed. What a rule refused is no such thing. */
export function isRace(error: unknown): boolean {
  return error instanceof AppError && error.code === "CONFLICT" && error.cause !== undefined;
}

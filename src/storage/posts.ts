import { sql } from "kysely";
import { AppError } from "../domain/errors.ts";
import type { Id } from "../domain/id.ts";
import type { PostStore } from "../domain/store.ts";
import type { Database } from "./database.ts";
import type { IdSource } from "./ids.ts";
import { OUTBOX_GATE } from "./outbox.ts";
import { bind, param } from "./statement.ts";

export function openPosts(database: Database, ids: IdSource, now: () => number): PostStore {
  const { read, dialect } = database;
  const insertPost = read
    .insertInto("posts")
    .values({
      id: param<Id>(0),
      author_id: param<Id>(1),
      created_at: param<string>(2),
      title: param<string>(3),
      body: dialect.entering(sql.lit(OUTBOX_GATE), param<string>(4)),
    })
    .compile();
  const lastEvent = read
    .selectFrom("outbox")
    .select((eb) => eb.fn.max("id").as("id"))
    .compile();
  /** Adds the event unless there is one already that does not come before it. */
  const insertEvent = read
    .insertInto("outbox")
    .columns(["id", "type", "subject_id", "occurred_at", "data"])
    .expression(
      read
        .selectNoFrom([
          sql<Id>`cast(${param(0)} as text)`.as("id"),
          sql.lit("post.created" as const).as("type"),
          param<Id>(1).as("subject_id"),
          param<string>(2).as("occurred_at"),
          param<string>(3).as("data"),
        ])
        // PostgreSQL would look for one with "exists" from the beginning of the table.
        .where(sql<boolean>`coalesce((select max(id) from outbox), '') < ${param<Id>(0)}`),
    )
    .compile();

  return {
    create: ({ authorId, title, body }) =>
      database.write(async (tx) => {
        const id = ids.next();
        const createdAt = new Date(now()).toISOString();
        const data = JSON.stringify({ id, authorId, title, createdAt });
        const addEvent = async (eventId: Id) => {
          const { numAffectedRows } = await tx.executeQuery(bind(insertEvent, eventId, id, createdAt, data));
          return numAffectedRows === 1n;
        };
        // Sent together: PostgreSQL skips the second when the first fails.
        const [, added] = await Promise.all([
          tx.executeQuery(bind(insertPost, id, authorId, createdAt, title, body)).catch(noAuthor(authorId)),
          addEvent(ids.next()),
        ]);
        // Readers of the outbox go on from the last id they saw, so an event follows whatever they can have seen. It
        // does not at once where the clock of another process is ahead.
        for (let isAdded = added; !isAdded; ) {
          const { rows } = await tx.executeQuery(bind(lastEvent));
          isAdded = await addEvent(ids.next(rows[0]?.id ?? null));
        }
        return id;
      }),
  };
}

function noAuthor(authorId: Id): (error: unknown) => never {
  return (error) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") {
      throw new AppError("NOT_FOUND", `There is no person with the id ${authorId}.`, {}, error.cause);
    }
    throw error;
  };
}

import { sql } from "kysely";
import { AppError } from "../domain/errors.ts";
import type { Id } from "../domain/id.ts";
import type { PostStore } from "../domain/store.ts";
import type { Database } from "./database.ts";
import type { IdSource } from "./ids.ts";
import { OUTBOX_GATE } from "./outbox.ts";
import { bind, param } from "./statement.ts";

/** How often an event is given an id that follows the last one, while others add theirs. */
const ATTEMPTS = 20;

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
  // Readers of the outbox go on from the last id they saw, so an event follows whatever they can have seen.
  const insertEvent = read
    .insertInto("outbox")
    .values({
      id: sql<Id>`(select ${dialect.following(sql.ref("last"), sql`cast(${param(0)} as text)`)}
        from (select coalesce(max(id), '') as last from outbox) as events)`,
      type: "post.created",
      subject_id: param<Id>(1),
      occurred_at: param<string>(2),
      data: param<string>(3),
    })
    .compile();

  return {
    async create({ authorId, title, body }) {
      const id = ids.next();
      const createdAt = new Date(now()).toISOString();
      const data = JSON.stringify({ id, authorId, title, createdAt });
      const addPost = bind(insertPost, id, authorId, createdAt, title, body);
      const addEvent = (eventId: Id) => bind(insertEvent, eventId, id, createdAt, data);
      try {
        await database.writeAtOnce([addPost, addEvent(ids.next())]);
        return id;
      } catch (error) {
        if (!isConflict(error)) throw explained(error, authorId);
      }
      // The clock of another process is ahead of ours, and this database makes no such ids.
      for (let attempt = 1; ; attempt++) {
        try {
          await database.write(async (tx) => {
            await tx.executeQuery(addPost);
            const { rows } = await tx.executeQuery(bind(lastEvent));
            await tx.executeQuery(addEvent(ids.next(rows[0]?.id ?? null)));
          });
          return id;
        } catch (error) {
          if (!isConflict(error) || attempt === ATTEMPTS) throw explained(error, authorId);
        }
      }
    },
  };
}

function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === "CONFLICT";
}

function explained(error: unknown, authorId: Id): unknown {
  return error instanceof AppError && error.code === "NOT_FOUND"
    ? new AppError("NOT_FOUND", `There is no person with the id ${authorId}.`, {}, error.cause)
    : error;
}

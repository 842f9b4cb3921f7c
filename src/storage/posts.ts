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
  const insertEvent = read
    .insertInto("outbox")
    .values({
      id: param<Id>(0),
      type: "post.created",
      subject_id: param<Id>(1),
      occurred_at: param<string>(2),
      data: param<string>(3),
    })
    .compile();

  return {
    create: ({ authorId, title, body }) =>
      database.write(async (tx) => {
        const id = ids.next();
        const createdAt = new Date(now()).toISOString();
        try {
          await tx.executeQuery(bind(insertPost, id, authorId, createdAt, title, body));
        } catch (error) {
          if (error instanceof AppError && error.code === "NOT_FOUND") {
            throw new AppError("NOT_FOUND", `There is no person with the id ${authorId}.`, {}, error.cause);
          }
          throw error;
        }
        // Readers of the outbox go on from the last id they saw, so it follows whatever they can have seen before.
        const { rows } = await tx.executeQuery(bind(lastEvent));
        const eventId = ids.next(rows[0]?.id ?? null);
        const data = JSON.stringify({ id, authorId, title, createdAt });
        await tx.executeQuery(bind(insertEvent, eventId, id, createdAt, data));
        return id;
      }),
  };
}

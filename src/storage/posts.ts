import { type Expression, type RawBuilder, sql } from "kysely";
import { AppError } from "../domain/errors.ts";
import type { Id } from "../domain/id.ts";
import type { PostStatus } from "../domain/post.ts";
import type { PostStore } from "../domain/store.ts";
import type { Database } from "./database.ts";
import { EventWriter, isRace } from "./event-writer.ts";
import { remember } from "./idempotency.ts";
import type { IdSource } from "./ids.ts";
import { openOldPosts } from "./old-posts.ts";
import { OUTBOX_GATE } from "./outbox.ts";
import { openPostChanges } from "./post-changes.ts";
import { bind, param, statement } from "./statement.ts";

/** How often an event is given an id that follows the last one, while others add theirs. */
const ATTEMPTS = 20;

export function openPosts(database: Database, ids: IdSource, now: () => number): PostStore {
  const { read, dialect } = database;
  const insertPost = statement(() =>
    read.insertInto("posts").values({
      id: param<Id>(0),
      author_id: param<Id>(1),
      status: param<PostStatus>(2),
      created_at: param<string>(3),
      updated_at: param<string>(3),
      published_at: param<string>(4),
      publish_at: param<string>(5),
      title: param<string>(6),
      slug: freeSlug(text(7), text(8)),
      word_count: param<number>(9),
      excerpt: param<string>(10),
      body: dialect.entering(sql.lit(OUTBOX_GATE), param<string>(11)),
      body_html: param<string>(12),
    }),
  );
  const events = new EventWriter(database, ids);

  return {
    ...openPostChanges(database, ids, now),
    ...openOldPosts(database),

    async create({ authorId, title, body, status = "PUBLISHED", publishAt = null, rendered }, once) {
      const id = ids.next();
      const createdAt = new Date(now()).toISOString();
      const publishedAt = status === "PUBLISHED" ? createdAt : "";
      const data = JSON.stringify({ id, authorId, title, createdAt, status });
      const { slug = null, wordCount = null, excerpt = null, bodyHtml = null } = rendered ?? {};
      const suffix = id.slice(-6);
      const first = [id, authorId, status, createdAt, publishedAt, publishAt, title] as const;
      const others = [suffix, wordCount, excerpt, body, bodyHtml] as const;
      const addPost = bind(insertPost, ...first, slug, ...others);
      const event = { type: "post.created", subjectId: id, occurredAt: createdAt, data } as const;
      if (once === undefined) {
        try {
          await database.writeAtOnce([addPost, events.insertion(event)]);
          return id;
        } catch (error) {
          if (!isRace(error)) throw explained(error, authorId);
        }
      }
      // The clock of another process is ahead of ours, and this database makes no such ids. Or others have just taken the slug.
      const addWithOtherSlug = bind(insertPost, ...first, slug === null ? null : `${slug}-${id.slice(-12)}`, ...others);
      for (let attempt = 1; ; attempt++) {
        try {
          await database.write(async (tx) => {
            if (once !== undefined) await remember(tx, once, id, now);
            await tx.executeQuery(attempt === 1 && once !== undefined ? addPost : addWithOtherSlug);
            await events.add(tx, event);
          });
          return id;
        } catch (error) {
          if (!isRace(error) || attempt === ATTEMPTS) throw explained(error, authorId);
        }
      }
    },
  };
}

/** Parameters whose type PostgreSQL cannot tell from where they stand. */
function text(slot: number): RawBuilder<string> {
  return sql<string>`cast(${param(slot)} as text)`;
}

/** SQL for the slug, with the suffix where another post has it already; null stays null. */
function freeSlug(slug: Expression<string>, suffix: Expression<string>): RawBuilder<string> {
  return sql<string>`case when exists (select 1 from posts as others where others.slug = ${slug})
    then ${slug} || '-' || ${suffix} else ${slug} end`;
}

function explained(error: unknown, authorId: Id): unknown {
  return error instanceof AppError && error.code === "NOT_FOUND"
    ? new AppError("NOT_FOUND", `There is no person with the id ${authorId}.`, {}, error.cause)
    : error;
}

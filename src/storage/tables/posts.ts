import { sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { PostStatus } from "../../domain/post-status.ts";
import type { PostStore } from "../../domain/posts/post.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import { bind, param, statement } from "../database/statement.ts";
import { remember } from "./idempotency.ts";
import { openOldPosts } from "./old-posts.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { openPostChanges } from "./post-changes.ts";
import { isRace, untilNoRace } from "./races.ts";
import { readWithin, writeAndRead } from "./read-back.ts";
import { freeSlug, textOf } from "./slugs.ts";
import { writtenParams, writtenValues } from "./written-columns.ts";

/** @param content the same database, for what makes no event */
export function openPosts(database: Database, content: Database, ids: IdSource, now: () => number): PostStore {
  const { read, dialect } = database;
  const insertPost = statement(() =>
    read.insertInto("posts").values({
      id: param<Id>(0),
      author_id: dialect.entering(sql.lit(OUTBOX_GATE), param<Id>(1)),
      status: param<PostStatus>(2),
      created_at: param<string>(3),
      updated_at: param<string>(3),
      published_at: param<string>(4),
      slug: freeSlug(textOf(param(5)), textOf(param(0))),
      word_count: param<number>(6),
      excerpt: param<string>(7),
      body_html: param<string>(8),
      ...dialect.search.written?.column(param(9)),
      ...writtenParams(10),
    }),
  );
  const events = new EventWriter(database, ids);

  return {
    ...openPostChanges(database, ids, now),
    ...openOldPosts(content),
    reindex: (limit) => dialect.search.reindex(content, limit),

    async create({ authorId, status = "PUBLISHED", rendered, ...written }, once, readBack) {
      const id = ids.next();
      const createdAt = new Date(now()).toISOString();
      const publishedAt = status === "PUBLISHED" ? createdAt : "";
      const data = JSON.stringify({ id, authorId, title: written.title, createdAt, status });
      const { slug = null, wordCount = null, excerpt = null, bodyHtml = null } = rendered ?? {};
      const words = dialect.search.written?.of(written) ?? null;
      const derived = [slug, wordCount, excerpt, bodyHtml, words?.row ?? null] as const;
      const own = [id, authorId, status, createdAt, publishedAt, ...derived] as const;
      const addPost = bind(insertPost, ...own, ...writtenValues(written));
      const event = { type: "post.created", subjectId: id, occurredAt: createdAt, data } as const;
      const isLong = words !== null && words.further.length > 0;
      const inSteps = () =>
        database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          await tx.executeQuery(addPost);
          if (isLong) await dialect.search.written?.keep(tx, id, words.further);
          await events.add(tx, event);
          await readWithin(tx, readBack, id);
        });
      const atOnce = async () => {
        const queries = [addPost, events.insertion(event)];
        await writeAndRead(database, queries, { readBack, id, author: authorId });
      };
      try {
        if (once !== undefined || isLong) await untilNoRace(inSteps);
        else {
          await atOnce().catch((error: unknown) => {
            if (!isRace(error)) throw error;
            // The clock of another process is ahead of ours, or others have just taken the slug.
            return untilNoRace(inSteps);
          });
        }
        return id;
      } catch (error) {
        throw explained(error, authorId);
      }
    },
  };
}

function explained(error: unknown, authorId: Id): unknown {
  return error instanceof AppError && error.code === "NOT_FOUND"
    ? new AppError("NOT_FOUND", `There is no person with the id ${authorId}.`, {}, error.cause)
    : error;
}

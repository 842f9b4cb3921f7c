import { sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { PostStatus } from "../../domain/post-status.ts";
import type { PostStore } from "../../domain/posts/post.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import { bind, param, statement } from "../database/statement.ts";
import { AgentTrail } from "./agent-trail.ts";
import { CreationOrder } from "./creation-order.ts";
import { remember } from "./idempotency.ts";
import { openOldPosts } from "./old-posts.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { openPostChanges, openPostWriter } from "./post-changes.ts";
import { openPostsOfAuthor } from "./posts-of-author.ts";
import { isRace, untilNoRace } from "./races.ts";
import { readWithin, writeAndRead } from "./read-back.ts";
import { openRestoredPosts } from "./restored-posts.ts";
import { assertHasSlug, assertSlugFree, freeSlug, textOf } from "./slugs.ts";
import { writtenParams, writtenValues } from "./written-columns.ts";

/**
 * @param content the same database, for what makes no event
 * @param keepsDeleted whether deleted posts can be restored
 */
export function openPosts(
  database: Database,
  content: Database,
  ids: IdSource,
  now: () => number,
  keepsDeleted = true,
): PostStore {
  const { read, dialect } = database;
  const order = new CreationOrder(database, "posts", OUTBOX_GATE);
  const insertPost = statement(() =>
    read.insertInto("posts").values({
      id: param<Id>(0),
      author_id: param<Id>(1),
      status: param<PostStatus>(2),
      created_at: order.at,
      updated_at: order.at,
      published_at: sql<string>`case when ${textOf(param(2))} = 'PUBLISHED' then ${order.at} else '' end`,
      slug: freeSlug(textOf(param(3)), textOf(param(0))),
      word_count: param<number>(4),
      excerpt: param<string>(5),
      body_html: param<string>(6),
      slug_by_hand: param<number>(7),
      derived_excerpt: param<string | null>(8),
      ...dialect.search.written?.column(param(9)),
      ...writtenParams(10),
    }),
  );
  const keepAuthor = statement(() =>
    read.selectFrom("users").select("id").where("id", "=", param<Id>(0)).forKeyShare(),
  );
  const events = new EventWriter(database, ids, order.at);
  const agents = new AgentTrail(database, ids);

  return {
    ...openPostChanges(database, openPostWriter(database, ids, now, keepsDeleted)),
    ...openRestoredPosts(database, agents, ids, now),
    ...openOldPosts(content),
    ...openPostsOfAuthor(database),
    reindex: (limit) => dialect.search.reindex(content, limit),

    async create({ authorId, status = "PUBLISHED", rendered, ...written }, once, readBack, act) {
      const id = ids.next();
      const at = new Date(now()).toISOString();
      const { wordCount = null, bodyHtml = null } = rendered ?? {};
      const chosen = written.slug ?? null;
      const words = dialect.search.written?.of(written) ?? null;
      const derived = [
        ...[chosen ?? rendered?.slug ?? null, wordCount, written.excerpt ?? rendered?.excerpt ?? null, bodyHtml],
        ...[chosen === null ? 0 : 1, written.excerpt == null ? null : (rendered?.excerpt ?? "")],
        words?.row ?? null,
      ] as const;
      const own = [id, authorId, status, ...derived] as const;
      const addPost = bind(insertPost, ...own, ...writtenValues(written));
      // A lock on the author is waited for before others have to wait for this post.
      const locking = dialect.writesOneByOne ? [] : [bind(keepAuthor, authorId)];
      const addInOrder = [...locking, order.next(id, at), addPost];
      const publishAt = written.publishAt ?? null;
      const trail = act === undefined ? [] : agents.creation(act, at, { id, authorId, publishAt });
      const before = `${JSON.stringify({ id, authorId, title: written.title }).slice(0, -1)},"createdAt":"`;
      const dataAround = [before, `","status":${JSON.stringify(status)}}`] as const;
      const event = { type: "post.created", subjectId: id, dataAround } as const;
      const isLong = words !== null && words.further.length > 0;
      const inSteps = () =>
        database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          if (chosen !== null) await assertSlugFree(tx, chosen, id);
          for (const query of addInOrder) await tx.executeQuery(query);
          if (chosen !== null) await assertHasSlug(tx, chosen, id);
          if (isLong) await dialect.search.written?.keep(tx, id, words.further);
          await events.add(tx, event);
          for (const query of trail) await tx.executeQuery(query);
          await readWithin(tx, readBack, id);
        });
      const atOnce = async () => {
        const queries = [...addInOrder, events.insertion(event), ...trail];
        await writeAndRead(database, queries, { readBack, id, author: authorId });
      };
      try {
        if (once !== undefined || isLong || chosen !== null) await untilNoRace(inSteps);
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

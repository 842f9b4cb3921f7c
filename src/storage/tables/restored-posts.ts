import { sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import { noDeletedPost } from "../../domain/posts/deleted-posts.ts";
import type { PostStore } from "../../domain/posts/post.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { AgentTrail } from "./agent-trail.ts";
import { takeOut } from "./deleted-posts.ts";
import { HistoryWriter, NOBODY } from "./history.ts";
import { remember } from "./idempotency.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { untilNoRace } from "./races.ts";
import { readWithin } from "./read-back.ts";
import { freeSlug, textOf } from "./slugs.ts";

/** Deleted posts that come back. @param now Unix time in milliseconds */
export function openRestoredPosts(
  database: Database,
  trail: AgentTrail,
  ids: IdSource,
  now: () => number,
): Pick<PostStore, "restore"> {
  const { dialect } = database;
  const events = new EventWriter(database, ids);
  const history = new HistoryWriter(database, ids);

  return {
    restore: ({ id, authorId, status, createdAt, publishedAt, version, rendered, ...written }, how, once, readBack) =>
      untilNoRace(() =>
        database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          const author = tx.selectFrom("users").select("id").where("id", "=", authorId).where("deletes_at", "is", null); // posts may be by a former member
          const found = await (dialect.writesOneByOne ? author : author.forKeyShare()).executeTakeFirst();
          if (found === undefined)
            throw new AppError("NOT_FOUND", `There is no person with the id ${authorId} who stays.`);
          const present = await tx.selectFrom("posts").select("id").where("id", "=", id).executeTakeFirst();
          if (present !== undefined) throw new AppError("CONFLICT", "The post is there.");
          const isKept = await takeOut(tx, id, version);
          if ("by" in how && !isKept) throw noDeletedPost();
          const at = new Date(now()).toISOString();
          const words = dialect.search.written?.of(written) ?? null;
          await tx
            .insertInto("posts")
            .values({
              id,
              author_id: authorId,
              status,
              created_at: createdAt,
              updated_at: at,
              published_at: publishedAt ?? "",
              version: dialect.entering(sql.lit(OUTBOX_GATE), sql<number>`cast(${version} as bigint)`),
              slug: freeSlug(textOf(written.slug ?? rendered.slug), textOf(id)),
              slug_by_hand: written.slug == null ? 0 : 1,
              word_count: rendered.wordCount,
              excerpt: written.excerpt ?? rendered.excerpt,
              derived_excerpt: written.excerpt == null ? null : rendered.excerpt,
              body_html: rendered.bodyHtml,
              title: written.title,
              body: written.body,
              publish_at: written.publishAt ?? null,
              publish_at_zone: written.publishAtZone ?? null,
              ...(words && dialect.search.written?.column(sql.val(words.row))),
            })
            .execute();
          if (words !== null) await dialect.search.written?.keep(tx, id, words.further);
          if ("takesBack" in how) await trail.takeBack(tx, id, version, at, how.takesBack);
          await history.restored(tx, id, "by" in how ? how.by : NOBODY, at, publishedAt !== null);
          const data = JSON.stringify({ id, authorId, title: written.title, createdAt, status });
          await events.add(tx, { type: "post.created", subjectId: id, occurredAt: at, data });
          await readWithin(tx, readBack, id);
        }),
      ),
  };
}

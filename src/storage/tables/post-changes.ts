import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { PostChange, PostState, PostStore } from "../../domain/posts/post.ts";
import type { Database, Dialect } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import type { PostWords } from "../database/search.ts";
import type { AgentTrail } from "./agent-trail.ts";
import { remember } from "./idempotency.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { untilNoRace } from "./races.ts";
import { readWithin } from "./read-back.ts";
import { freeSlug, textOf } from "./slugs.ts";
import { writtenColumns } from "./written-columns.ts";

const SHOWN = ["id", "author_id", "title", "status", "created_at", "updated_at", "version"] as const;

/** Posts that there are already. @param now Unix time in milliseconds */
export function openPostChanges(
  database: Database,
  agents: AgentTrail,
  ids: IdSource,
  now: () => number,
): Pick<PostStore, "edit" | "listDue"> {
  const { dialect } = database;
  const events = new EventWriter(database, ids);

  /** Writes to a post that `find` has found. @returns what the event tells of it */
  async function write(tx: Kysely<Schema>, id: Id, change: PostChange, at: string) {
    if (change.event === "post.deleted") {
      return tx
        .deleteFrom("posts")
        .where("id", "=", id)
        .returning([...SHOWN, dialect.entering(sql.lit(OUTBOX_GATE), sql.ref("id")).as("gate")])
        .executeTakeFirstOrThrow();
    }
    const { slug, rendered, status } = change;
    const words = await wordsAfter(tx, id, change);
    const row = await tx
      .updateTable("posts")
      .set({
        version: dialect.entering(sql.lit(OUTBOX_GATE), sql<number>`posts.version + 1`),
        updated_at: at,
        ...writtenColumns(change),
        ...(words && dialect.search.written?.column(sql.val(words.row))),
        ...(slug === undefined ? {} : { slug: slugOfUnpublished(slug, id) }),
        ...(rendered === undefined
          ? {}
          : { word_count: rendered.wordCount, excerpt: rendered.excerpt, body_html: rendered.bodyHtml }),
        ...(status === undefined ? {} : { status }),
        ...(status === "PUBLISHED"
          ? { published_at: sql<string>`case when published_at = '' then ${textOf(at)} else published_at end` }
          : {}),
      })
      .where("id", "=", id)
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    if (words !== null) await dialect.search.written?.keep(tx, id, words.further);
    return row;
  }

  /** The words of the post when it is changed; null where they stay, or are not written with it. */
  async function wordsAfter(tx: Kysely<Schema>, id: Id, { title, body }: PostChange): Promise<PostWords | null> {
    const { written } = dialect.search;
    if (written === null || (title === undefined && body === undefined)) return null;
    if (title !== undefined && body !== undefined) return written.of({ title, body });
    const old = await tx.selectFrom("posts").select(["title", "body"]).where("id", "=", id).executeTakeFirst();
    return written.of({ title: title ?? old?.title ?? "", body: body ?? old?.body ?? "" });
  }

  return {
    edit: (id, decide, once, readBack, trail) =>
      untilNoRace(() =>
        database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          const post = await find(tx, id, dialect);
          const change = decide(post);
          if (post === null || change === null) return readWithin(tx, readBack, id);
          const at = new Date(now()).toISOString();
          const act = trail !== undefined && "act" in trail ? trail.act : null;
          const before = act === null ? null : await agents.before(tx, post);
          const row = await write(tx, id, change, at);
          const { event: type } = change;
          await events.add(tx, {
            type,
            subjectId: id,
            occurredAt: at,
            data: JSON.stringify({
              id,
              authorId: row.author_id,
              title: row.title,
              createdAt: row.created_at,
              updatedAt: row.updated_at,
              status: row.status,
              previousStatus: post.status,
              version: Number(row.version),
            }),
          });
          if (act !== null && before !== null) await agents.add(tx, act, at, before, change);
          else if (type === "post.deleted") await agents.forgetTexts(tx, id);
          if (trail !== undefined && "takesBack" in trail) {
            const version = type === "post.deleted" ? null : Number(row.version);
            await agents.takeBack(tx, id, version, at, trail.takesBack);
          }
          await readWithin(tx, readBack, id);
        }),
      ),

    async listDue(moment, limit) {
      const rows = await database.read
        .selectFrom("posts")
        .select("id")
        .where("publish_at", "<=", moment)
        .where("publish_at", "is not", null) // as the index has it
        .where("status", "=", "DRAFT")
        .orderBy("publish_at")
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    },
  };
}

/** Until the transaction ends, nobody else changes the post: what is decided about it and read of it is one state. */
async function find(tx: Kysely<Schema>, id: Id, { writesOneByOne }: Dialect): Promise<PostState | null> {
  const query = tx
    .selectFrom("posts")
    .select(["author_id", "status", "updated_at", "version", "publish_at"])
    .where("id", "=", id);
  const row = await (writesOneByOne ? query : query.forNoKeyUpdate()).executeTakeFirst();
  if (row === undefined) return null;
  const { author_id: authorId, status, version, publish_at: publishAt, updated_at: updatedAt } = row;
  return { id, authorId, status, version: Number(version), publishAt, updatedAt };
}

/** SQL for the new slug of the post; of one that was published once, for the one it has. */
function slugOfUnpublished(slug: string, id: Id): RawBuilder<string | null> {
  return sql<string | null>`case when published_at = '' then ${freeSlug(textOf(slug), textOf(id))} else slug end`;
}

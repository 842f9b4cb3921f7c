import { type Kysely, sql, type UpdateObject } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { PostChange, PostDecision, PostState, PostStore } from "../../domain/posts/post.ts";
import type { Database, Dialect } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import type { PostWords } from "../database/search.ts";
import { AgentTrail } from "./agent-trail.ts";
import { keepDeleted } from "./deleted-posts.ts";
import { HistoryWriter } from "./history.ts";
import { remember } from "./idempotency.ts";
import { EventWriter, OUTBOX_GATE } from "./outbox.ts";
import { endPlannedUpdate } from "./planned-update-row.ts";
import { untilNoRace } from "./races.ts";
import { readWithin } from "./read-back.ts";
import { assertSlugFree, freeSlug, keepFormerSlug, textOf } from "./slugs.ts";
import { writtenColumns } from "./written-columns.ts";

const SHOWN = ["id", "author_id", "title", "status", "created_at", "updated_at", "version"] as const;

type Edit = PostStore["edit"] extends (id: Id, decide: PostDecision, ...rest: infer Rest) => Promise<void>
  ? (
      id: Id,
      decide: (tx: Kysely<Schema>, post: PostState | null) => Promise<PostChange | null>,
      ...rest: Rest
    ) => Promise<void>
  : never;

/** Changes posts, and what belongs to them, in one transaction. */
export interface PostWriter {
  /** As `PostStore.edit`; what `decide` itself writes is part of the transaction. */
  readonly edit: Edit;
}

/**
 * @param now Unix time in milliseconds
 * @param keepsDeleted whether deleted posts can be restored
 */
export function openPostWriter(database: Database, ids: IdSource, now: () => number, keepsDeleted = true): PostWriter {
  const { dialect } = database;
  const agents = new AgentTrail(database, ids);
  const history = new HistoryWriter(database, ids);
  const events = new EventWriter(database, ids);

  /** Writes to a post that `findPost` has found. @returns what the event tells of it */
  async function write(tx: Kysely<Schema>, id: Id, change: PostChange, at: string) {
    if (change.event === "post.deleted") {
      await keepDeleted(tx, id, { at, by: change.by?.userId ?? null, keepsText: keepsDeleted });
      await forgetLinks(tx, id);
      await endPlannedUpdate(tx, id);
      return tx
        .deleteFrom("posts")
        .where("id", "=", id)
        .returning([...SHOWN, dialect.entering(sql.lit(OUTBOX_GATE), sql.ref("id")).as("gate")])
        .executeTakeFirstOrThrow();
    }
    const { slug, rendered, status } = change;
    const words = await wordsAfter(tx, id, change);
    if (slug != null) {
      await assertSlugFree(tx, slug, id);
      await keepFormerSlug(tx, id, slug);
    }
    const row = await tx
      .updateTable("posts")
      .set({
        version: dialect.entering(sql.lit(OUTBOX_GATE), sql<number>`posts.version + 1`),
        updated_at: at,
        ...writtenColumns(change),
        ...(words && dialect.search.written?.column(sql.val(words.row))),
        ...slugColumns(change, id),
        ...(rendered === undefined ? {} : { word_count: rendered.wordCount, body_html: rendered.bodyHtml }),
        ...excerptColumns(change),
        ...(status === undefined ? {} : { status }),
        ...(status === "PUBLISHED"
          ? { published_at: sql<string>`case when published_at = '' then ${textOf(at)} else published_at end` }
          : {}),
      })
      .where("id", "=", id)
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    if (words !== null) await dialect.search.written?.keep(tx, id, words.further);
    if (slug != null) await assertSlugFree(tx, slug, id);
    if (status === "PUBLISHED") await endDrafts(tx, id);
    else if (status !== undefined) await endPlannedUpdate(tx, id);
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
          const post = await findPost(tx, id, dialect);
          const change = await decide(tx, post);
          if (post === null || change === null) return readWithin(tx, readBack, id);
          const at = new Date(now()).toISOString();
          const act = trail !== undefined && "act" in trail ? trail.act : null;
          const before = act === null ? null : await agents.before(tx, post);
          const { event: type } = change;
          const past = type === "post.deleted" ? null : await history.before(tx, post, change);
          const row = await write(tx, id, change, at);
          if (past !== null) await history.after(tx, post, change, at, past);
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
  };
}

/** Posts that there are already. */
export function openPostChanges(database: Database, writer: PostWriter): Pick<PostStore, "edit" | "listDue"> {
  return {
    edit: (id, decide, ...rest) => writer.edit(id, async (_, post) => decide(post), ...rest),

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
export async function findPost(tx: Kysely<Schema>, id: Id, { writesOneByOne }: Dialect): Promise<PostState | null> {
  const query = tx
    .selectFrom("posts")
    .select(["author_id", "status", "updated_at", "version", "title", "publish_at"])
    .where("id", "=", id);
  const row = await (writesOneByOne ? query : query.forNoKeyUpdate()).executeTakeFirst();
  if (row === undefined) return null;
  const { author_id: authorId, status, version, title, publish_at: publishAt, updated_at: updatedAt } = row;
  return { id, authorId, status, version: Number(version), title, publishAt, updatedAt };
}

/** The new slug: the one that a person chose, or the title's for a post that was never published. */
function slugColumns({ slug, titleSlug }: PostChange, id: Id): UpdateObject<Schema, "posts"> {
  if (slug != null) return { slug, slug_by_hand: 1 };
  const byHand = slug === null ? { slug_by_hand: 0 } : {};
  if (titleSlug === undefined) return byHand;
  const follows = slug === null ? sql`published_at = ''` : sql`published_at = '' and slug_by_hand = 0`;
  const following = freeSlug(textOf(titleSlug), textOf(id));
  return { ...byHand, slug: sql<string | null>`case when ${follows} then ${following} else slug end` };
}

/** The excerpt that a person wrote is shown. The one that the body gives is kept beside it meanwhile. */
function excerptColumns({ excerpt, rendered }: PostChange): UpdateObject<Schema, "posts"> {
  if (excerpt === undefined && rendered === undefined) return {};
  const derived =
    rendered === undefined ? sql<string>`coalesce(derived_excerpt, excerpt, '')` : textOf(rendered.excerpt);
  if (typeof excerpt === "string") return { excerpt, derived_excerpt: derived };
  if (excerpt === null) return { excerpt: derived, derived_excerpt: null };
  return {
    excerpt: sql<string>`case when derived_excerpt is null then ${derived} else excerpt end`,
    derived_excerpt: sql<string | null>`case when derived_excerpt is null then null else ${derived} end`,
  };
}

/** The text that is written after a publication is not meant for those who were shown the draft. */
async function endDrafts(tx: Kysely<Schema>, id: Id): Promise<void> {
  await tx
    .updateTable("preview_links")
    .set({ is_over: 1 })
    .where("post_id", "=", id)
    .where("is_over", "=", 0)
    .execute();
}

/** Deletes what leads to a post that is deleted. Its former slugs may be another post's then. */
async function forgetLinks(tx: Kysely<Schema>, id: Id): Promise<void> {
  await tx.deleteFrom("post_slugs").where("post_id", "=", id).execute();
  await tx.deleteFrom("preview_links").where("post_id", "=", id).execute();
}

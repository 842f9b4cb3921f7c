import { type Expression, type Kysely, type Selectable, type SqlBool, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { DeletedPostStore, KeptPost } from "../../domain/posts/deleted-posts.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { OWN_TEXT } from "./history.ts";
import { LASTING_SLUG, textOf } from "./slugs.ts";

type Tx = Kysely<Schema>;

const IS_KEPT = sql<SqlBool>`title is not null`; // as the indexes have it
const IS_FORGOTTEN = sql<SqlBool>`title is null`;

export function openDeletedPosts(database: Database): DeletedPostStore {
  const { read, dialect } = database;

  /** Removes rows that one of the conditions picks, those of the first one first. */
  function remove(conditions: readonly Expression<SqlBool>[], limit: number, waits: boolean): Promise<number> {
    return database.write(async (tx) => {
      const ids: Id[] = [];
      for (const condition of conditions) {
        if (ids.length === limit) break;
        const query = tx
          .selectFrom("deleted_posts")
          .select("id")
          .where(condition)
          .limit(limit - ids.length);
        const locking = dialect.writesOneByOne ? query : query.forUpdate();
        const rows = await (dialect.writesOneByOne || waits ? locking : locking.skipLocked()).execute();
        ids.push(...rows.map(({ id }) => id));
      }
      return ids.length === 0 ? 0 : removeSome(tx, ids, limit);
    });
  }

  return {
    async find(id) {
      const query = read.selectFrom("deleted_posts").selectAll().where("id", "=", id);
      const row = await query.executeTakeFirst();
      return row === undefined ? null : toKept(row);
    },

    async listOfAuthor(authorId, { after, limit }) {
      let query = read
        .selectFrom("deleted_posts")
        .selectAll()
        .where("author_id", "=", authorId)
        .where(IS_KEPT)
        .orderBy("id")
        .limit(limit);
      if (after !== undefined) query = query.where("id", ">", after);
      return (await query.execute()).flatMap((row) => toKept(row) ?? []);
    },

    sweep: (before, limit) =>
      remove([IS_FORGOTTEN, sql<SqlBool>`${IS_KEPT} and deleted_at <= ${before}`], limit, false),

    forgetOfAuthor: (authorId, limit) =>
      remove(
        [IS_KEPT, IS_FORGOTTEN].map((which) => sql<SqlBool>`${which} and author_id = ${authorId}`),
        limit,
        true,
      ),
  };
}

/** Keeps a post that is about to be deleted. Without `keepsText`, only what still has to be removed of it is remembered. */
export async function keepDeleted(
  tx: Tx,
  id: Id,
  { at, by, keepsText }: { readonly at: string; readonly by: Id | null; readonly keepsText: boolean },
): Promise<void> {
  const text = { slug: LASTING_SLUG, excerpt: OWN_TEXT.excerpt, title: OWN_TEXT.title, body: OWN_TEXT.body };
  const kept = (name: keyof typeof text) => (keepsText ? text[name] : sql<string | null>`cast(null as text)`);
  await tx
    .insertInto("deleted_posts")
    .columns([
      "id",
      "author_id",
      "deleted_at",
      "deleted_by",
      "status",
      "version",
      "created_at",
      "published_at",
      ...TEXT,
    ])
    .expression(
      tx
        .selectFrom("posts")
        .select(["id", "author_id", textOf(at).as("deleted_at"), textOf(by).as("deleted_by")])
        .select(["status", "version", "created_at", sql<string | null>`nullif(published_at, '')`.as("published_at")])
        .select(TEXT.map((name) => kept(name).as(name)))
        .where("id", "=", id),
    )
    .execute();
  if (!keepsText) await tx.deleteFrom("post_working_copies").where("post_id", "=", id).execute();
}

/**
 * A deleted post comes back: its history and its working copy are those of a post again.
 *
 * @param version of the post that comes back
 * @returns false for a post that is not kept, or no longer whole
 */
export async function takeOut(tx: Tx, id: Id, version: number): Promise<boolean> {
  const row = await tx
    .deleteFrom("deleted_posts")
    .where("id", "=", id)
    .returning(["version", "title"])
    .executeTakeFirst();
  if (row === undefined) return false;
  // The copy was written from the text that comes back.
  await tx
    .updateTable("post_working_copies")
    .set({ base_version: version })
    .where("post_id", "=", id)
    .where("base_version", "=", row.version)
    .execute();
  return row.title !== null;
}

const TEXT = ["slug", "excerpt", "title", "body"] as const;

/** @returns `limit` while some of the posts may be there still */
async function removeSome(tx: Tx, ids: readonly Id[], limit: number): Promise<number> {
  await tx
    .updateTable("deleted_posts")
    .set({ title: null, body: null, slug: null, excerpt: null })
    .where("id", "in", ids)
    .where(IS_KEPT)
    .execute();
  const some = tx.selectFrom("post_revisions").select("id").where("post_id", "in", ids).limit(limit);
  const { numDeletedRows } = await tx.deleteFrom("post_revisions").where("id", "in", some).executeTakeFirstOrThrow();
  if (Number(numDeletedRows) >= limit) return limit;
  await tx.deleteFrom("post_working_copies").where("post_id", "in", ids).execute();
  await tx.deleteFrom("deleted_posts").where("id", "in", ids).execute();
  return ids.length;
}

/** @returns null where the text is gone */
function toKept(row: Selectable<Schema["deleted_posts"]>): KeptPost | null {
  const { title, body, slug, excerpt } = row;
  if (title === null || body === null) return null;
  return {
    ...{ id: row.id, authorId: row.author_id, status: row.status, version: Number(row.version) },
    ...{
      createdAt: row.created_at,
      publishedAt: row.published_at,
      deletedAt: row.deleted_at,
      deletedBy: row.deleted_by,
    },
    ...{ title, body, slug, excerpt },
  };
}

import { type Kysely, sql } from "kysely";
import type { EditingStore, PersonEditing } from "../../domain/posts/editing.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { remember } from "./idempotency.ts";

/** Milliseconds to wait for a lock: an announcement that comes late tells little. */
const PATIENCE = 1_000;

/** @param now Unix time in milliseconds, for Idempotency-Keys. Announcements have the time of the database. */
export function openEditing(database: Database, now: () => number): EditingStore {
  const { dialect, read } = database;
  const nowMs = sql<number>`(select ${dialect.nowMs})`;

  async function people(postIds: readonly string[], milliseconds: number): Promise<Map<string, PersonEditing[]>> {
    const rows = await read
      .selectFrom("post_editing")
      .innerJoin("users", "users.id", "post_editing.user_id")
      .select(["post_editing.post_id", "users.id", "users.name"])
      .where("post_editing.post_id", "in", postIds as Schema["post_editing"]["post_id"][])
      .where("post_editing.at_ms", ">", sql<number>`${nowMs} - ${milliseconds}`)
      .where("users.disabled_at", "is", null)
      .orderBy("users.id")
      .execute();
    const byPost = new Map<string, PersonEditing[]>();
    for (const { post_id, id, name } of rows) byPost.set(post_id, [...(byPost.get(post_id) ?? []), { id, name }]);
    return byPost;
  }

  return {
    async announce(postId, userId, once) {
      const announcing = (db: Kysely<Schema>) =>
        db
          .insertInto("post_editing")
          .values({ post_id: postId, user_id: userId, at_ms: nowMs })
          .onConflict((conflict) => conflict.columns(["post_id", "user_id"]).doUpdateSet({ at_ms: nowMs }));
      await database.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, postId, now);
        await announcing(tx).execute();
      }, PATIENCE);
    },

    async look(postIds, milliseconds) {
      const ids = [...new Set(postIds)];
      if (ids.length === 0) return [];
      const [rows, editing] = await Promise.all([
        read
          .selectFrom("posts")
          .leftJoin("post_working_copies as copies", (join) =>
            join.onRef("copies.post_id", "=", "posts.id").on("copies.is_open", "=", 1),
          )
          .select(["posts.id", "posts.author_id", "posts.status", "posts.version", "copies.version as working_version"])
          .where("posts.id", "in", ids)
          .execute(),
        people(ids, milliseconds),
      ]);
      return rows.map((row) => ({
        id: row.id,
        authorId: row.author_id,
        status: row.status,
        version: Number(row.version),
        workingVersion: Number(row.working_version ?? 0),
        editing: editing.get(row.id) ?? [],
      }));
    },

    async sweep(milliseconds) {
      const old = sql<number>`${nowMs} - ${milliseconds}`;
      const [removed = 0] = await database.writeAtOnce([
        read.deleteFrom("post_editing").where("at_ms", "<", old).compile(),
      ]);
      return removed;
    },
  };
}

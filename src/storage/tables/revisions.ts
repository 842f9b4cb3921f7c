import type { RevisionStore } from "../../domain/posts/history.ts";
import { noSuchText } from "../../domain/posts/revisions.ts";
import type { Database } from "../database/database.ts";
import { remember } from "./idempotency.ts";
import { findPost } from "./post-changes.ts";
import { readWithin } from "./read-back.ts";

/** @param now Unix time in milliseconds */
export function openRevisions(database: Database, now: () => number): RevisionStore {
  const { read, dialect } = database;

  return {
    async listOfPerson(userId, { after, limit, ofDeleted = false }) {
      let query = read
        .selectFrom("post_revisions")
        .selectAll()
        .where("person_id", "=", userId)
        .orderBy("id")
        .limit(limit);
      query = query.where(({ exists, not, selectFrom }) => {
        const post = exists(selectFrom("posts").select("posts.id").whereRef("posts.id", "=", "post_revisions.post_id"));
        return ofDeleted ? not(post) : post;
      });
      if (after !== undefined) query = query.where("id", ">", after);
      const rows = await query.execute();
      return rows.map(({ title, body, slug, excerpt, ...row }) => ({
        id: row.id,
        postId: row.post_id,
        version: Number(row.version),
        kind: row.kind,
        status: row.status,
        createdAt: row.created_at,
        userId: row.person_id,
        clientId: row.client_id,
        name: row.name,
        text: title === null || body === null ? null : { title, body, slug, excerpt },
      }));
    },

    name: ({ postId, revision, name }, decide, once, readBack) =>
      database.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, postId, now);
        decide(await findPost(tx, postId, dialect));
        if (revision === null) throw noSuchText();
        const { numUpdatedRows } = await tx
          .updateTable("post_revisions")
          .set({ name })
          .where("id", "=", revision)
          .where("post_id", "=", postId)
          .where("title", "is not", null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) throw noSuchText();
        await readWithin(tx, readBack, postId);
      }),

    async sweep(before, limit) {
      const query = read
        .deleteFrom("post_revisions")
        .where("is_kept", "=", 0)
        .where("id", "in", (eb) =>
          eb
            .selectFrom("post_revisions")
            .select("id")
            .where("is_kept", "=", eb.lit(0)) // as the index has it
            .where("created_at", "<", before)
            .orderBy("created_at")
            .limit(limit),
        );
      const [changed = 0] = await database.writeAtOnce([query.compile()]);
      return changed;
    },
  };
}

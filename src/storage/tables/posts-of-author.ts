import { type Expression, type SqlBool, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { PostStatus } from "../../domain/post-status.ts";
import type { PostStore } from "../../domain/posts/post.ts";
import type { Database } from "../database/database.ts";

/** All posts of one person. Each query has the status as an index has it. */
export function openPostsOfAuthor({ read }: Database): Pick<PostStore, "listIdsOfAuthor" | "listOfAuthor"> {
  const isPublished = sql<SqlBool>`status = 'PUBLISHED'`;
  const isUnpublished = sql<SqlBool>`status <> 'PUBLISHED'`;

  async function ids(authorId: Id, condition: Expression<SqlBool>, limit: number): Promise<Id[]> {
    const query = read.selectFrom("posts").select("id").where("author_id", "=", authorId).where(condition);
    return (await query.limit(limit).execute()).map(({ id }) => id);
  }

  const inStatus = (status: PostStatus) =>
    status === "PUBLISHED" ? isPublished : sql<SqlBool>`${isUnpublished} and status = ${status}`;

  return {
    async listIdsOfAuthor(authorId, limit) {
      const published = await ids(authorId, isPublished, limit);
      return published.length > 0 ? published : ids(authorId, isUnpublished, limit);
    },

    async listOfAuthor(authorId, { status, after, limit }) {
      let query = read
        .selectFrom("posts")
        .select(["id", "title", "body", "slug", "status", "version"])
        .select(["created_at", "updated_at", "published_at", "publish_at"])
        .where("author_id", "=", authorId)
        .where(inStatus(status))
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit);
      if (after !== undefined) {
        const { createdAt, id } = after;
        query = query
          .where("created_at", "<=", createdAt)
          .where((eb) => eb.or([eb("created_at", "<", createdAt), eb("id", "<", id)]));
      }
      return (await query.execute()).map((row) => ({
        id: row.id,
        title: row.title,
        body: row.body,
        slug: row.slug ?? row.id,
        status: row.status,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        publishedAt: row.published_at === "" ? null : row.published_at,
        publishAt: row.publish_at,
        version: Number(row.version),
      }));
    },
  };
}

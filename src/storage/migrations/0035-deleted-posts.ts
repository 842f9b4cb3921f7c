import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Posts that were deleted and can be restored for a time. The long column is last, so that the others are read without it. */
export async function deletedPosts(tx: Kysely<Schema>, { text, wholeNumber, tableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("deleted_posts")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("author_id", text, (column) => column.notNull())
    .addColumn("deleted_at", text, (column) => column.notNull())
    .addColumn("deleted_by", text)
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("version", wholeNumber, (column) => column.notNull())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("published_at", text)
    .addColumn("slug", text)
    .addColumn("excerpt", text)
    .addColumn("title", text)
    .addColumn("body", text)
    .modifyEnd(tableOptions)
    .execute();
  const kept = sql<boolean>`title is not null`;
  const index = (name: string, columns: readonly string[], condition: typeof kept) =>
    tx.schema
      .createIndex(name)
      .on("deleted_posts")
      .columns([...columns])
      .where(condition)
      .execute();
  await index("deleted_posts_by_time", ["deleted_at desc", "id desc"], kept);
  await index("deleted_posts_by_author", ["author_id", "deleted_at desc", "id desc"], kept);
  await index("deleted_posts_to_forget", ["id"], sql<boolean>`title is null`);
  await tx.schema.createIndex("deleted_posts_by_person").on("deleted_posts").column("deleted_by").execute();
}

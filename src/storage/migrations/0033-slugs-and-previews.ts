import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Slugs and excerpts that people choose, earlier slugs, preview links, and an index for each new order of lists. */
export async function slugsAndPreviews(tx: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { text, wholeNumber, tableOptions, keyedTableOptions } = dialect;

  await tx.schema
    .alterTable("posts")
    .addColumn("slug_by_hand", wholeNumber, (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema.alterTable("posts").addColumn("derived_excerpt", text).execute();
  await tx.schema.alterTable("posts").addColumn("publish_at_zone", text).execute();
  for (const column of ["slug", "excerpt", "publish_at_zone"])
    await tx.schema.alterTable("agent_changes").addColumn(column, text).execute();

  await tx.schema
    .createTable("post_slugs")
    .addColumn("slug", text, (column) => column.primaryKey().notNull())
    .addColumn("post_id", text, (column) => column.notNull())
    .modifyEnd(keyedTableOptions)
    .execute();
  await tx.schema.createIndex("post_slugs_by_post").on("post_slugs").column("post_id").execute();

  await tx.schema
    .createTable("preview_links")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("post_id", text, (column) => column.notNull())
    .addColumn("token_hash", text, (column) => column.notNull())
    .addColumn("created_by", text)
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("expires_at", text, (column) => column.notNull())
    .addColumn("last_used_at", text)
    .addColumn("revoked_at", text)
    .addColumn("is_over", wholeNumber, (column) => column.notNull())
    .addColumn("revision", text)
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema.createIndex("preview_links_by_token").on("preview_links").column("token_hash").unique().execute();
  await tx.schema.createIndex("preview_links_by_post").on("preview_links").columns(["post_id", "id"]).execute();
  await tx.schema.createIndex("preview_links_by_end").on("preview_links").column("expires_at").execute();

  await tx.schema.dropIndex("posts_to_publish").execute();
  await indexPosts(tx, sql<boolean>`publish_at is not null`, [
    ["posts_to_publish", ["publish_at", "id"]],
    ["posts_to_publish_by_author", ["author_id", "publish_at", "id"]],
  ]);
  await indexPosts(tx, sql<boolean>`status = 'PUBLISHED'`, [
    ["posts_by_title", ["title", "id"]],
    ["posts_by_author_and_title", ["author_id", "title", "id"]],
  ]);
  await indexPosts(tx, sql<boolean>`status <> 'PUBLISHED'`, [
    ["posts_unpublished_by_title", ["status", "title", "id"]],
    ["posts_unpublished_by_author_and_title", ["author_id", "status", "title", "id"]],
    ["posts_unpublished_by_update", ["status", "updated_at desc", "id desc"]],
    ["posts_unpublished_by_author_and_update", ["author_id", "status", "updated_at desc", "id desc"]],
    ["posts_unpublished_by_publication", ["status", "published_at desc", "id desc"]],
    ["posts_unpublished_by_author_and_publication", ["author_id", "status", "published_at desc", "id desc"]],
  ]);
}

async function indexPosts(
  tx: Kysely<Schema>,
  condition: ReturnType<typeof sql<boolean>>,
  indexes: readonly (readonly [name: string, columns: readonly string[]])[],
): Promise<void> {
  for (const [name, columns] of indexes)
    await tx.schema
      .createIndex(name)
      .on("posts")
      .columns([...columns])
      .where(condition)
      .execute();
}

import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/**
 * The life of posts, and what is derived from them. Takes about 20 seconds for each million posts. Posts from before
 * it have a null `slug`: what is derived from them comes afterwards, in small steps (`renderOldPosts`).
 */
export async function content(tx: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { text, wholeNumber, tableOptions } = dialect;

  await tx.schema.alterTable("users").addColumn("updated_at", text).execute();
  await tx.schema
    .alterTable("users")
    .addColumn("version", wholeNumber, (column) => column.notNull().defaultTo(1))
    .execute();
  await tx.schema.createIndex("users_by_time").on("users").columns(["created_at desc", "id desc", "name"]).execute();
  await tx.schema.createIndex("users_by_name").on("users").columns(["name", "id"]).execute();

  // A new table, so that body stands behind everything else that is short: see PostTable.
  await tx.schema
    .createTable("posts_new")
    .addColumn("number", dialect.rowNumber)
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("author_id", text, (column) => column.notNull().references("users.id"))
    .addColumn("status", text, (column) => column.notNull().check(sql`status in ('DRAFT', 'PUBLISHED', 'ARCHIVED')`))
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("updated_at", text, (column) => column.notNull())
    .addColumn("published_at", text, (column) => column.notNull())
    .addColumn("publish_at", text)
    .addColumn("version", wholeNumber, (column) => column.notNull().defaultTo(1))
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("slug", text)
    .addColumn("word_count", wholeNumber)
    .addColumn("excerpt", text)
    .addColumn("body", text, (column) => column.notNull())
    .addColumn("body_html", text)
    .modifyEnd(tableOptions)
    .execute();
  await sql`insert into posts_new (id, author_id, status, created_at, updated_at, published_at, title, body)
    select id, author_id, 'PUBLISHED', created_at, created_at, created_at, title, body from posts order by id`.execute(
    tx,
  );
  await tx.schema.dropTable("posts").execute();
  await tx.schema.alterTable("posts_new").renameTo("posts").execute();
  await tx.schema.createIndex("posts_by_id").on("posts").column("id").unique().execute();
  await tx.schema.createIndex("posts_by_slug").on("posts").column("slug").unique().execute();

  // Each order has an index of what everybody sees. Lists by time that leave out the body are read from the index alone: a
  // look at the table for each row takes twice as long.
  const published = [
    ["posts_by_author", ["author_id", "created_at desc", "id desc", "title"]],
    ["posts_by_time", ["created_at desc", "id desc", "author_id", "title"]],
    ["posts_by_author_and_publication", ["author_id", "published_at desc", "id desc"]],
    ["posts_by_publication", ["published_at desc", "id desc"]],
    ["posts_by_author_and_update", ["author_id", "updated_at desc", "id desc"]],
    ["posts_by_update", ["updated_at desc", "id desc"]],
  ] as const;
  for (const [name, columns] of published) {
    await tx.schema
      .createIndex(name)
      .on("posts")
      .columns([...columns])
      .where(sql`status`, "=", sql.lit("PUBLISHED"))
      .execute();
  }
  const unpublished = [
    ["posts_unpublished_by_author", ["author_id", "status", "created_at desc", "id desc"]],
    ["posts_unpublished_by_time", ["status", "created_at desc", "id desc"]],
  ] as const;
  for (const [name, columns] of unpublished) {
    await tx.schema
      .createIndex(name)
      .on("posts")
      .columns([...columns])
      .where(sql`status`, "<>", sql.lit("PUBLISHED"))
      .execute();
  }
  await tx.schema
    .createIndex("posts_to_publish")
    .on("posts")
    .column("publish_at")
    .where(sql`publish_at`, "is not", null)
    .execute();
  await tx.schema.createIndex("posts_to_render").on("posts").column("number").where(sql`slug`, "is", null).execute();
}

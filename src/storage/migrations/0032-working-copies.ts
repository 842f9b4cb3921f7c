import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Texts that are being written, and the history of posts. The long column of each is last, so that the others are read without it. */
export async function workingCopies(tx: Kysely<Schema>, { text, wholeNumber, tableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("post_working_copies")
    .addColumn("post_id", text, (column) => column.primaryKey().notNull())
    .addColumn("version", wholeNumber, (column) => column.notNull())
    .addColumn("base_version", wholeNumber, (column) => column.notNull())
    .addColumn("is_open", wholeNumber, (column) => column.notNull())
    .addColumn("restored_from", text)
    .addColumn("updated_at", text, (column) => column.notNull())
    .addColumn("updated_by", text)
    .addColumn("slug", text)
    .addColumn("excerpt", text)
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("body", text, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema
    .createIndex("post_working_copies_open")
    .on("post_working_copies")
    .column("post_id")
    .where(sql<boolean>`is_open = 1`)
    .execute();
  await tx.schema
    .createIndex("post_working_copies_by_person")
    .on("post_working_copies")
    .columns(["updated_by", "post_id"])
    .execute();

  await tx.schema
    .createTable("post_revisions")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("post_id", text, (column) => column.notNull())
    .addColumn("version", wholeNumber, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("person_id", text)
    .addColumn("client_id", text)
    .addColumn("is_kept", wholeNumber, (column) => column.notNull())
    .addColumn("slug", text)
    .addColumn("excerpt", text)
    .addColumn("title", text)
    .addColumn("body", text)
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema
    .createIndex("post_revisions_by_post")
    .on("post_revisions")
    .columns(["post_id", "created_at desc", "id desc"])
    .execute();
  // The texts among many changes of state and texts set aside.
  await tx.schema
    .createIndex("post_revisions_texts")
    .on("post_revisions")
    .columns(["post_id", "created_at desc", "id desc"])
    .where(sql<boolean>`title is not null and kind <> 'MERGED'`)
    .execute();
  await tx.schema
    .createIndex("post_revisions_to_forget")
    .on("post_revisions")
    .column("created_at")
    .where(sql<boolean>`is_kept = 0`)
    .execute();
  await tx.schema
    .createIndex("post_revisions_by_person")
    .on("post_revisions")
    .columns(["person_id", "id"])
    .where(sql<boolean>`person_id is not null`)
    .execute();
}

import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Texts that become those of published posts at a time. The long column is last, so that the others are read without it. */
export async function plannedUpdates(tx: Kysely<Schema>, { text, wholeNumber, tableOptions }: Dialect): Promise<void> {
  await tx.schema
    .createTable("post_planned_updates")
    .addColumn("post_id", text, (column) => column.primaryKey().notNull())
    .addColumn("publish_at", text, (column) => column.notNull())
    .addColumn("publish_at_zone", text)
    .addColumn("held_because", text)
    .addColumn("base_version", wholeNumber, (column) => column.notNull())
    .addColumn("working_version", wholeNumber, (column) => column.notNull())
    .addColumn("is_restored", wholeNumber, (column) => column.notNull())
    .addColumn("planned_at", text, (column) => column.notNull())
    .addColumn("person_id", text)
    .addColumn("client_id", text)
    .addColumn("slug", text)
    .addColumn("excerpt", text)
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("body", text, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema
    .createIndex("post_planned_updates_due")
    .on("post_planned_updates")
    .column("publish_at")
    .where(sql<boolean>`held_because is null`)
    .execute();
  await tx.schema
    .createIndex("post_planned_updates_by_person")
    .on("post_planned_updates")
    .columns(["person_id", "post_id"])
    .where(sql<boolean>`person_id is not null`)
    .execute();
}

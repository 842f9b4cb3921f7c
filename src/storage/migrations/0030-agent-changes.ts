import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/**
 * Agents: who uses them, whether all of them are stopped, and what they changed, with what is needed to take it back. Ids ascend with
 * time, so the indexes by them serve lists by time.
 */
export async function agentChanges(tx: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { text, wholeNumber, tableOptions, keyedTableOptions } = dialect;

  await tx.schema
    .createTable("agents")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("client_id", text, (column) => column.notNull())
    .addColumn("user_id", text, (column) => column.notNull())
    .addColumn("first_used_at", text, (column) => column.notNull())
    .addColumn("last_used_at", text, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema.createIndex("agents_by_client").on("agents").columns(["client_id", "user_id"]).unique().execute();
  await tx.schema.createIndex("agents_by_user").on("agents").column("user_id").execute();
  await tx.schema.createIndex("agents_by_use").on("agents").column("last_used_at").execute();

  await tx.schema
    .createTable("agent_stops")
    .addColumn("subject", text, (column) => column.primaryKey().notNull())
    .addColumn("stopped_at", text, (column) => column.notNull())
    .modifyEnd(keyedTableOptions)
    .execute();

  await tx.schema
    .createTable("agent_changes")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("at", text, (column) => column.notNull())
    .addColumn("user_id", text)
    .addColumn("client_id", text, (column) => column.notNull())
    .addColumn("tool", text, (column) => column.notNull())
    .addColumn("trace_id", text)
    .addColumn("post_id", text, (column) => column.notNull())
    .addColumn("author_id", text, (column) => column.notNull())
    .addColumn("version_before", wholeNumber)
    .addColumn("version_after", wholeNumber)
    .addColumn("planned_at", text)
    .addColumn("status", text)
    .addColumn("publish_at", text)
    .addColumn("created_at", text)
    .addColumn("published_at", text)
    .addColumn("reverted_at", text)
    .addColumn("title", text)
    .addColumn("body", text)
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema.createIndex("agent_changes_by_time").on("agent_changes").columns(["at", "id"]).execute();
  await tx.schema
    .createIndex("agent_changes_by_client")
    .on("agent_changes")
    .columns(["client_id", "at", "id"])
    .execute();
  await tx.schema.createIndex("agent_changes_by_post").on("agent_changes").column("post_id").execute();
  await tx.schema.createIndex("agent_changes_by_user").on("agent_changes").columns(["user_id", "at"]).execute();
  await tx.schema.createIndex("agent_changes_by_author").on("agent_changes").columns(["author_id", "at"]).execute();
}

import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

export async function first(tx: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { text, wholeNumber, tableOptions, keyedTableOptions } = dialect;

  await tx.schema
    .createTable("users")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("email", text, (column) => column.notNull())
    .addColumn("email_key", text, (column) => column.notNull().unique())
    .addColumn("email_verified", wholeNumber, (column) => column.notNull().check(sql`email_verified in (0, 1)`))
    .addColumn("role", text, (column) => column.notNull().check(sql`role in ('member', 'editor', 'admin')`))
    .addColumn("password_hash", text)
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("disabled_at", text)
    .modifyEnd(keyedTableOptions)
    .execute();

  await tx.schema
    .createTable("posts")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("author_id", text, (column) => column.notNull().references("users.id"))
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("body", text, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
  // Lists that leave out the body are read from the index alone: a look at the table for each row takes twice as long.
  await tx.schema
    .createIndex("posts_by_author")
    .on("posts")
    .columns(["author_id", "created_at desc", "id desc", "title"])
    .execute();
  await tx.schema
    .createIndex("posts_by_time")
    .on("posts")
    .columns(["created_at desc", "id desc", "author_id", "title"])
    .execute();

  await tx.schema
    .createTable("clients")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("type", text, (column) => column.notNull().check(sql`type in ('public', 'confidential')`))
    .addColumn("secret_hash", text)
    .addColumn("redirect_uris", text, (column) => column.notNull())
    .addColumn("post_logout_redirect_uris", text, (column) => column.notNull())
    .addColumn("grant_types", text, (column) => column.notNull())
    .addColumn("scopes", text, (column) => column.notNull())
    .addColumn("first_party", wholeNumber, (column) => column.notNull().check(sql`first_party in (0, 1)`))
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("disabled_at", text)
    .modifyEnd(keyedTableOptions)
    .execute();

  await tx.schema
    .createTable("artifacts")
    .addColumn("id_hash", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("grant_id", text)
    .addColumn("user_id", text)
    .addColumn("client_id", text)
    .addColumn("scope", text)
    .addColumn("uid_hash", text)
    .addColumn("user_code_hash", text)
    .addColumn("expires_at_seconds", wholeNumber)
    .addColumn("consumed_at_seconds", wholeNumber)
    .addColumn("payload", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("artifacts_key", ["id_hash", "kind"])
    .modifyEnd(tableOptions)
    .execute();
  for (const column of ["grant_id", "user_id", "uid_hash", "user_code_hash", "expires_at_seconds"] as const) {
    await tx.schema
      .createIndex(`artifacts_by_${column}`)
      .on("artifacts")
      .column(column)
      .where(sql.ref(column), "is not", null)
      .execute();
  }

  await tx.schema
    .createTable("signing_keys")
    .addColumn("kid", text, (column) => column.primaryKey().notNull())
    .addColumn("algorithm", text, (column) => column.notNull())
    .addColumn("private_key", text, (column) => column.notNull())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("retired_at", text)
    .modifyEnd(tableOptions)
    .execute();

  await tx.schema
    .createTable("outbox")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("subject_id", text, (column) => column.notNull())
    .addColumn("occurred_at", text, (column) => column.notNull())
    .addColumn("data", text, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
}

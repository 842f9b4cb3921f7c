import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** People who come in by mail: the outbox of mails, mailed secrets, invitations, and what is known of an account beside the person. */
export async function accounts(
  tx: Kysely<Schema>,
  { text, wholeNumber, tableOptions, keyedTableOptions }: Dialect,
): Promise<void> {
  await tx.schema
    .alterTable("users")
    .addColumn("credential_version", wholeNumber, (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema.alterTable("users").addColumn("deletes_at", text).execute();
  await tx.schema.alterTable("users").addColumn("deleted_at", text).execute();
  await tx.schema
    .createIndex("users_to_delete")
    .on("users")
    .column("deletes_at")
    .where(sql`deletes_at`, "is not", null)
    .execute();

  // Names stand in these events, and go with their person.
  await tx.schema
    .createIndex("outbox_of_people")
    .on("outbox")
    .column("subject_id")
    .where(sql<boolean>`type in ('user.created', 'user.updated')`)
    .execute();

  // The account page lists these events of a person. Rows about tokens are many, and are not among them.
  await tx.schema
    .createIndex("audit_of_people")
    .on("audit")
    .columns(["user_id", "at", "id"])
    .where(sql<boolean>`event not in ('authorization', 'introspection', 'revocation', 'token', 'userinfo')`)
    .execute();

  await tx.schema
    .createTable("account_states")
    .addColumn("user_id", text, (column) => column.primaryKey().notNull().references("users.id"))
    .addColumn("mail_state", text, (column) =>
      column.notNull().defaultTo("ok").check(sql`mail_state in ('ok', 'failing')`),
    )
    .addColumn("language", text)
    .addColumn("last_sign_in_at", text)
    .addColumn("kept_name", text)
    .addColumn("deletion_posts", text, (column) => column.check(sql`deletion_posts in ('keep', 'delete')`))
    .addColumn("deletion_began_at", text)
    .modifyEnd(keyedTableOptions)
    .execute();

  await tx.schema
    .createTable("mails")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("user_id", text)
    .addColumn("address", text, (column) => column.notNull())
    .addColumn("language", text, (column) => column.notNull())
    .addColumn("params", text, (column) => column.notNull())
    .addColumn("state", text, (column) =>
      column.notNull().check(sql`state in ('PENDING', 'SENT', 'FAILED', 'DROPPED')`),
    )
    .addColumn("attempts", wholeNumber, (column) => column.notNull())
    .addColumn("due_at", text)
    .addColumn("claim", text)
    .addColumn("error", text)
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("expires_at", text, (column) => column.notNull())
    .addColumn("sent_at", text)
    .addColumn("ended_at", text)
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema.createIndex("mails_due").on("mails").column("due_at").where(sql`due_at`, "is not", null).execute();
  await tx.schema.createIndex("mails_by_state").on("mails").columns(["state", "id"]).execute();
  await tx.schema.createIndex("mails_by_person").on("mails").columns(["user_id", "id"]).execute();
  await tx.schema
    .createIndex("mails_ended")
    .on("mails")
    .column("ended_at")
    .where(sql`ended_at`, "is not", null)
    .execute();

  await tx.schema
    .createTable("invitations")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("email", text, (column) => column.notNull())
    .addColumn("email_key", text, (column) => column.notNull())
    .addColumn("role", text, (column) => column.notNull())
    .addColumn("invited_by", text)
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("expires_at", text, (column) => column.notNull())
    .addColumn("accepted_at", text)
    .addColumn("withdrawn_at", text)
    .modifyEnd(tableOptions)
    .execute();
  await tx.schema
    .createIndex("invitations_open")
    .on("invitations")
    .column("email_key")
    .unique()
    .where(sql<boolean>`accepted_at is null and withdrawn_at is null`)
    .execute();
  await tx.schema
    .createIndex("invitations_by_inviter")
    .on("invitations")
    .columns(["invited_by", "created_at"])
    .execute();

  await tx.schema
    .createTable("account_tokens")
    .addColumn("hash", text, (column) => column.primaryKey().notNull())
    .addColumn("purpose", text, (column) => column.notNull())
    .addColumn("email", text, (column) => column.notNull())
    .addColumn("email_key", text, (column) => column.notNull())
    .addColumn("proves_email", wholeNumber, (column) => column.notNull())
    .addColumn("user_id", text)
    .addColumn("credential_version", wholeNumber)
    .addColumn("invitation_id", text)
    .addColumn("code_mac", text)
    .addColumn("browser_hash", text)
    .addColumn("interaction", text)
    .addColumn("created_at_seconds", wholeNumber, (column) => column.notNull())
    .addColumn("expires_at_seconds", wholeNumber, (column) => column.notNull())
    .addColumn("used_at_seconds", wholeNumber)
    .addColumn("voided_at_seconds", wholeNumber)
    .modifyEnd(keyedTableOptions)
    .execute();
  for (const column of ["email_key", "user_id", "invitation_id", "code_mac", "expires_at_seconds"] as const)
    await tx.schema.createIndex(`account_tokens_by_${column}`).on("account_tokens").column(column).execute();
}

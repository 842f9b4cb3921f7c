import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { nameKey } from "../../domain/clients/client.ts";
import type { Id } from "../../domain/id.ts";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Clients that people own, several secrets of one client, and lists of clients by index. */
export async function clientsOfPeople(tx: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { text } = dialect;
  for (const column of ["owner_id", "disabled_by", "last_used_at", "other_secret_hashes", "name_key"])
    await tx.schema.alterTable("clients").addColumn(column, text).execute();
  await tx.schema
    .createTable("client_secrets")
    .addColumn("id", text, (column) => column.primaryKey().notNull())
    .addColumn("client_id", text, (column) => column.notNull())
    .addColumn("secret_hash", text)
    .addColumn("hint", text)
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("last_used_at", text)
    .addColumn("ended_at", text)
    .modifyEnd(dialect.tableOptions)
    .execute();
  await tx.schema
    .createIndex("client_secrets_by_client")
    .on("client_secrets")
    .columns(["client_id", "created_at", "id"])
    .execute();
  await fill(tx);
  await indexClients(tx);
  // Without tokens: an entry for each would cost a tenth of the time that writing one takes.
  await tx.schema
    .createIndex("artifacts_of_clients")
    .on("artifacts")
    .column("client_id")
    .where(sql<boolean>`client_id is not null and kind in ('Consent', 'Grant')`)
    .execute();
  await tx.schema
    .createIndex("audit_refusals_of_clients")
    .on("audit")
    .columns(["client_id", "at", "id"])
    .where(sql<boolean>`client_id is not null and result <> 'ok'`)
    .execute();
}

/** Secrets from before this migration have no hint: only their hashes are known. */
async function fill(tx: Kysely<Schema>): Promise<void> {
  const clients = await tx.selectFrom("clients").select(["id", "name", "secret_hash", "created_at"]).execute();
  for (const { id, name, secret_hash, created_at } of clients) {
    await tx
      .updateTable("clients")
      .set({ name_key: nameKey(name) })
      .where("id", "=", id)
      .execute();
    if (secret_hash === null) continue;
    const unknown = { hint: null, last_used_at: null, ended_at: null };
    await tx
      .insertInto("client_secrets")
      .values({ id: randomUUID() as string as Id, client_id: id, secret_hash, created_at, ...unknown })
      .execute();
  }
}

async function indexClients(tx: Kysely<Schema>): Promise<void> {
  const index = (name: string) => tx.schema.createIndex(name).on("clients");
  await index("clients_by_time").columns(["created_at", "id"]).execute();
  await index("clients_by_name").columns(["name_key", "id"]).execute();
  await index("clients_by_owner")
    .columns(["owner_id", "created_at", "id"])
    .where(sql<boolean>`owner_id is not null`)
    .execute();
  await index("clients_of_people").columns(["created_at", "id"]).where(sql<boolean>`owner_id is not null`).execute();
  await index("clients_by_origin")
    .columns(["origin", "created_at", "id"])
    .where(sql<boolean>`owner_id is null`)
    .execute();
  await index("clients_disabled").columns(["created_at", "id"]).where(sql<boolean>`disabled_at is not null`).execute();
}

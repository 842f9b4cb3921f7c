import { type Kysely, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import { nameKey } from "../../domain/people/account-search.ts";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

const BATCH = 1_000;

/** Filters of the audit and of people, each with an index, and the administrator of an entry in a column of its own. */
export async function administration(tx: Kysely<Schema>, { text }: Dialect): Promise<void> {
  await auditFilters(tx, text);
  await tx.schema
    .alterTable("users")
    .addColumn("name_key", text, (column) => column.notNull().defaultTo(""))
    .execute();
  await fillNameKeys(tx);
  await peopleFilters(tx);
}

async function auditFilters(tx: Kysely<Schema>, text: Dialect["text"]): Promise<void> {
  await tx.schema.alterTable("audit").addColumn("actor_id", text).execute();
  // Until now the id was the end of the detail.
  await sql`update audit set actor_id = substr(detail, length(detail) - 35)
    where detail like ${`% by ${"_".repeat(8)}-${"_".repeat(4)}-7${"_".repeat(3)}-${"_".repeat(4)}-${"_".repeat(12)}`}
    and request_id is not null`.execute(tx);
  for (const column of ["user_id", "client_id", "address", "request_id"] as const)
    await tx.schema
      .createIndex(`audit_by_${column}`)
      .on("audit")
      .columns([column, "at", "id"])
      .where(sql<boolean>`${sql.ref(column)} is not null`)
      .execute();
  await tx.schema.createIndex("audit_by_event").on("audit").columns(["event", "at", "id"]).execute();
  for (const [name, columns] of [
    ["audit_failures", ["result", "at", "id"]],
    ["audit_failures_by_event", ["event", "result", "at", "id"]],
  ] as const)
    await tx.schema
      .createIndex(name)
      .on("audit")
      .columns([...columns])
      .where(sql<boolean>`result <> 'ok'`)
      .execute();
}

async function fillNameKeys(tx: Kysely<Schema>): Promise<void> {
  for (let after = "" as Id; ; ) {
    const people = await tx
      .selectFrom("users")
      .select(["id", "name"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    for (const { id, name } of people)
      await tx
        .updateTable("users")
        .set({ name_key: nameKey(name) })
        .where("id", "=", id)
        .execute();
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** For each of the three orders of the list. The indexes of rare states hold few people, so they are small. */
async function peopleFilters(tx: Kysely<Schema>): Promise<void> {
  const orders = [["id"], ["name_key", "id"], ["email_key", "id"]] as const;
  await tx.schema.createIndex("users_by_name_key").on("users").columns(["name_key", "id"]).execute();
  for (const order of orders) {
    await tx.schema
      .createIndex(`users_by_role_${order[0]}`)
      .on("users")
      .columns(["role", ...order])
      .execute();
    for (const state of ["disabled_at", "deletes_at", "deleted_at"] as const)
      await tx.schema
        .createIndex(`users_${state}_${order[0]}`)
        .on("users")
        .columns([...order])
        .where(sql<boolean>`${sql.ref(state)} is not null`)
        .execute();
  }
}

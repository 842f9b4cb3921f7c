import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** When a client that registered itself was first let in by somebody. Those from before count as used: nothing says that they were not. */
export async function usedClients(tx: Kysely<Schema>, { text }: Dialect): Promise<void> {
  await tx.schema.alterTable("clients").addColumn("used_at", text).execute();
  await tx
    .updateTable("clients")
    .set((eb) => ({ used_at: eb.ref("created_at") }))
    .execute();
  await tx.schema
    .createIndex("clients_unused")
    .on("clients")
    .column("created_at")
    .where(sql<boolean>`used_at is null and origin = 'registration'`)
    .execute();
}

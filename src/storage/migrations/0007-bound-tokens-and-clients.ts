import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Tokens that are bound to a key of their client, clients that prove themselves by one, and clients not made by the operator. */
export async function boundTokensAndClients(tx: Kysely<Schema>, { text, wholeNumber }: Dialect): Promise<void> {
  await tx.schema.alterTable("artifacts").addColumn("jkt", text).execute();
  await tx.schema.alterTable("clients").addColumn("jwks", text).execute();
  await tx.schema
    .alterTable("clients")
    .addColumn("dpop_bound", wholeNumber, (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema
    .alterTable("clients")
    .addColumn("origin", text, (column) =>
      column.notNull().defaultTo("operator").check(sql`origin in ('operator', 'registration', 'document')`),
    )
    .execute();
  await tx.schema.alterTable("clients").addColumn("registration_token_hash", text).execute();
}

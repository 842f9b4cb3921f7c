import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** When and how the person of an access token has signed in. */
export async function tokenSignIns(tx: Kysely<Schema>, { text, wholeNumber }: Dialect): Promise<void> {
  await tx.schema.alterTable("artifacts").addColumn("auth_time_seconds", wholeNumber).execute();
  await tx.schema.alterTable("artifacts").addColumn("acr", text).execute();
}

import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Time until which the owner of a client may try its sign-in. */
export async function clientTrials(tx: Kysely<Schema>, { text }: Dialect): Promise<void> {
  await tx.schema.alterTable("clients").addColumn("trial_until", text).execute();
}

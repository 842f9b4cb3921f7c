import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** The door that an access token names: agents have one of their own. */
export async function agents(tx: Kysely<Schema>, { text }: Dialect): Promise<void> {
  await tx.schema.alterTable("artifacts").addColumn("audience", text).execute();
}

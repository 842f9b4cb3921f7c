import type { Kysely } from "kysely";
import type { Dialect } from "../database.ts";
import type { Schema } from "../schema.ts";

/** Clients whose keys are at an address of theirs. */
export async function clientProtection(tx: Kysely<Schema>, { text }: Dialect): Promise<void> {
  await tx.schema.alterTable("clients").addColumn("jwks_uri", text).execute();
}

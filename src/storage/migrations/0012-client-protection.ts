import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Clients whose keys are at an address of theirs, and those whose authorization requests must be pushed or signed. */
export async function clientProtection(tx: Kysely<Schema>, { text, wholeNumber }: Dialect): Promise<void> {
  await tx.schema.alterTable("clients").addColumn("jwks_uri", text).execute();
  for (const name of ["must_push", "must_sign"]) {
    await tx.schema
      .alterTable("clients")
      .addColumn(name, wholeNumber, (column) => column.notNull().defaultTo(0))
      .execute();
  }
}

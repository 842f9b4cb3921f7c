import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Clients that sign who they are with one algorithm (`token_endpoint_auth_signing_alg`, RFC 7591 section 2). */
export async function assertionAlgorithm(tx: Kysely<Schema>, { text }: Dialect): Promise<void> {
  await tx.schema.alterTable("clients").addColumn("assertion_algorithm", text).execute();
}

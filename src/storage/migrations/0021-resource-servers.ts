import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Clients that are another API, and ask about tokens for it (RFC 7662). */
export async function resourceServers(tx: Kysely<Schema>, { text }: Dialect): Promise<void> {
  await tx.schema.alterTable("clients").addColumn("resource_server", text).execute();
}

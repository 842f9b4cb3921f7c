import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** Names that people give to revisions. Behind the long column, yet cheap: rows without a name end before it. */
export async function revisionNames(tx: Kysely<Schema>, { text }: Dialect): Promise<void> {
  await tx.schema.alterTable("post_revisions").addColumn("name", text).execute();
}

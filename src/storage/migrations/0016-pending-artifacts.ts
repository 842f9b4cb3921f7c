import { type Kysely, sql } from "kysely";
import { PENDING_KINDS } from "../../domain/store/artifacts.ts";
import type { Schema } from "../database/schema.ts";

/** Finds requests that nobody has begun, which are removed as soon as they expire. */
export async function pendingArtifacts(tx: Kysely<Schema>): Promise<void> {
  await tx.schema
    .createIndex("artifacts_pending")
    .on("artifacts")
    .column("expires_at_seconds")
    .where(sql`user_id`, "is", null)
    .where(
      sql`kind`,
      "in",
      PENDING_KINDS.map((kind) => sql.lit(kind)),
    )
    .execute();
}

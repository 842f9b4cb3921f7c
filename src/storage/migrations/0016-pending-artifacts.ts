import { type Kysely, sql } from "kysely";
import type { Schema } from "../database/schema.ts";

/** Finds requests that nobody has begun, which are removed as soon as they expire. */
export async function pendingArtifacts(tx: Kysely<Schema>): Promise<void> {
  await tx.schema
    .createIndex("artifacts_pending")
    .on("artifacts")
    .column("expires_at_seconds")
    .where(sql`user_id`, "is", null)
    .where(sql`kind`, "in", ["PushedAuthorizationRequest", "DeviceCode", "Interaction"].map(sql.lit))
    .execute();
}

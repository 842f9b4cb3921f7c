import type { Kysely } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "../database/schema.ts";

/** Ends the planned update of a post, if it has one. To be called while nobody else changes the post. */
export async function endPlannedUpdate(tx: Kysely<Schema>, postId: Id): Promise<void> {
  await tx.deleteFrom("post_planned_updates").where("post_id", "=", postId).execute();
}

import type { Kysely } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { ArtifactStore } from "../../domain/store/artifacts.ts";
import type { Changes } from "../database/changes.ts";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/**
 * A transaction that puts an artifact is inside the gate of its grant and of its person. A revocation shuts the gate and
 * deletes the artifacts that were put before. Later transactions find the grant gone.
 */
export const GRANT_GATE = "grant ";
export const USER_GATE = "user ";

/** Deletes every artifact of a person within a transaction that does more to them. */
export async function revokeWithin(tx: Kysely<Schema>, dialect: Dialect, userId: Id): Promise<void> {
  await dialect.shut(tx, USER_GATE + userId);
  await tx.deleteFrom("artifacts").where("user_id", "=", userId).execute();
}

/** Deletes the artifacts of a grant, a person, or a client of a person. */
export function openRevocations(
  dialect: Dialect,
  changes: Changes,
): Pick<ArtifactStore, "revokeGrant" | "revokeUser" | "revokeClientOfUser"> {
  return {
    revokeGrant: (grantId) =>
      changes.telling({ kind: "grant", id: grantId }).write(async (tx) => {
        await dialect.shut(tx, GRANT_GATE + grantId);
        await tx.deleteFrom("artifacts").where("grant_id", "=", grantId).execute();
      }),

    revokeUser: (userId, { kinds = [], idHashes = [] } = {}) =>
      changes.telling({ kind: "user", id: userId }).write(async (tx) => {
        await dialect.shut(tx, USER_GATE + userId);
        let query = tx.deleteFrom("artifacts").where("user_id", "=", userId);
        if (kinds.length > 0) query = query.where("kind", "not in", kinds);
        if (idHashes.length > 0) query = query.where("id_hash", "not in", idHashes);
        await query.execute();
      }),

    revokeClientOfUser: (userId, clientId) =>
      changes.telling({ kind: "user", id: userId }).write(async (tx) => {
        await dialect.shut(tx, USER_GATE + userId);
        await tx.deleteFrom("artifacts").where("user_id", "=", userId).where("client_id", "=", clientId).execute();
      }),
  };
}

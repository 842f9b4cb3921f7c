import { type Kysely, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { ArtifactStore } from "../../domain/store/artifacts.ts";
import type { Changes } from "../database/changes.ts";
import type { Database, Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { untilNoRace } from "./races.ts";

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
  { dialect, read }: Database,
  changes: Changes,
): Pick<ArtifactStore, "revokeGrant" | "revokeUser" | "revokeClientOfUser" | "revokeClient" | "revokeOwnTokens"> {
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

    async revokeClient(clientId, limit) {
      const telling = changes.telling({ kind: "client", id: clientId });
      const grants = await ofClient(read, clientId, GRANT)
        .select("grant_id")
        .where("grant_id", "is not", null)
        .orderBy("grant_id")
        .limit(limit)
        .execute();
      for (let i = 0; i < grants.length; i += AT_ONCE) {
        const some = grants.slice(i, i + AT_ONCE).flatMap(({ grant_id }) => grant_id ?? []);
        await untilNoRace(() =>
          telling.write(async (tx) => {
            for (const grantId of some) await dialect.shut(tx, GRANT_GATE + grantId);
            await tx.deleteFrom("artifacts").where("grant_id", "in", some).execute();
          }),
        );
      }
      const consents = ofClient(read, clientId, CONSENT).select(["id_hash", "kind"]).limit(limit);
      const deleted = await telling.write((tx) =>
        tx
          .deleteFrom("artifacts")
          .where(({ eb, refTuple }) => eb(refTuple("id_hash", "kind"), "in", consents.$asTuple("id_hash", "kind")))
          .executeTakeFirst(),
      );
      return grants.length < limit && Number(deleted.numDeletedRows) < limit;
    },

    async revokeOwnTokens(clientId, nowSeconds) {
      const telling = changes.telling({ kind: "client", id: clientId });
      let last = { expires_at_seconds: nowSeconds, id_hash: "" };
      for (;;) {
        const { expires_at_seconds: at, id_hash: id } = last;
        const page = await read
          .selectFrom("artifacts")
          .select([
            "id_hash",
            "kind",
            "client_id",
            "grant_id",
            sql<number>`expires_at_seconds`.as("expires_at_seconds"),
          ])
          .where("expires_at_seconds", ">=", at)
          .where((eb) => eb.or([eb("expires_at_seconds", ">", at), eb("id_hash", ">", id)]))
          .orderBy("expires_at_seconds")
          .orderBy("id_hash")
          .limit(LOOKED_AT)
          .execute();
        const own = page.filter(
          (one) => one.client_id === clientId && one.grant_id === null && OWN_KINDS.has(one.kind),
        );
        for (const kind of OWN_KINDS) {
          const ids = own.filter((one) => one.kind === kind).map(({ id_hash }) => id_hash);
          for (let i = 0; i < ids.length; i += AT_ONCE)
            await telling.write((tx) =>
              tx
                .deleteFrom("artifacts")
                .where("kind", "=", kind)
                .where("id_hash", "in", ids.slice(i, i + AT_ONCE))
                .execute(),
            );
        }
        const end = page.at(-1);
        if (end === undefined || page.length < LOOKED_AT) return;
        last = { expires_at_seconds: Number(end.expires_at_seconds), id_hash: end.id_hash };
      }
    },
  };
}

/** The protocol engine's names for what a person has agreed to, and ours for the memory of it. */
const [GRANT, CONSENT] = ["Grant", "Consent"] as const;
/** Tokens that a client has for itself: its access tokens, and the notes of those that are JWTs. */
const OWN_KINDS: ReadonlySet<string> = new Set(["ClientCredentials", "JwtAccessToken"]);

/** Grants whose gates one transaction shuts, and tokens that one deletes. */
const AT_ONCE = 100;
/** Artifacts that one statement reads. */
const LOOKED_AT = 5_000;

/** As the index `artifacts_of_clients` has them. */
function ofClient(read: Database["read"], clientId: string, kind: typeof GRANT | typeof CONSENT) {
  return read
    .selectFrom("artifacts")
    .where("client_id", "=", clientId)
    .where(sql<boolean>`kind in ('Consent', 'Grant')`)
    .where("kind", "=", kind);
}

import { type ExpressionBuilder, sql } from "kysely";
import type { Artifact, ArtifactStore } from "../../domain/store/artifacts.ts";
import { PENDING_KINDS } from "../../domain/store/artifacts.ts";
import type { Changes } from "../database/changes.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { bind, limitParam, param, prepareNamed, statement } from "../database/statement.ts";
import { ACCESS_TOKEN_KINDS, openAccessTokens } from "./access-tokens.ts";
import { ARTIFACT_COLUMNS, toArtifact } from "./artifact-row.ts";
import { GRANT_GATE, openRevocations, USER_GATE } from "./revocations.ts";

/** The protocol engine's name for a person's consent, to which its other artifacts belong. */
const GRANT = "Grant";

export function openArtifacts(database: Database, changes: Changes): ArtifactStore {
  const { read, dialect } = database;
  /** The database for the end of an artifact. Resource servers are notified of the end of a token. */
  const ending = (kind: string, id: string) =>
    ACCESS_TOKEN_KINDS.includes(kind) ? changes.telling({ kind: "token", id }) : database;

  const put = statement(() =>
    read
      .insertInto("artifacts")
      .values({
        kind: param<string>(0),
        id_hash: param<string>(1),
        grant_id: param<string | null>(2),
        user_id: param<string | null>(3),
        client_id: param<string | null>(4),
        scope: param<string | null>(5),
        uid_hash: param<string | null>(6),
        user_code_hash: param<string | null>(7),
        payload: dialect.entering(
          sql`${sql.lit(GRANT_GATE)} || ${param<string | null>(2)}`,
          dialect.entering(sql`${sql.lit(USER_GATE)} || ${param<string | null>(3)}`, param<string>(8)),
        ),
        expires_at_seconds: param<number | null>(9),
        consumed_at_seconds: param<number | null>(10),
        jkt: param<string | null>(11),
        x5t: param<string | null>(12),
        auth_time_seconds: param<number | null>(13),
        acr: param<string | null>(14),
        audience: param<string | null>(15),
      })
      .onConflict((conflict) =>
        conflict.columns(["id_hash", "kind"]).doUpdateSet((eb) => ({
          grant_id: eb.ref("excluded.grant_id"),
          user_id: eb.ref("excluded.user_id"),
          client_id: eb.ref("excluded.client_id"),
          scope: eb.ref("excluded.scope"),
          uid_hash: eb.ref("excluded.uid_hash"),
          user_code_hash: eb.ref("excluded.user_code_hash"),
          payload: eb.ref("excluded.payload"),
          expires_at_seconds: eb.ref("excluded.expires_at_seconds"),
          jkt: eb.ref("excluded.jkt"),
          x5t: eb.ref("excluded.x5t"),
          auth_time_seconds: eb.ref("excluded.auth_time_seconds"),
          acr: eb.ref("excluded.acr"),
          audience: eb.ref("excluded.audience"),
          consumed_at_seconds: eb.fn.coalesce("artifacts.consumed_at_seconds", "excluded.consumed_at_seconds"),
        })),
      ),
  );

  const byName = (column: "id_hash" | "uid_hash" | "user_code_hash") =>
    prepareNamed(
      database,
      ARTIFACT_COLUMNS,
      statement(
        () =>
          read
            .selectFrom("artifacts")
            .select(ARTIFACT_COLUMNS)
            .where(column, "=", param<string>(1))
            .where("kind", "=", param<string>(0))
            .orderBy("expires_at_seconds", (order) => order.desc().nullsLast())
            .limit(sql.lit(1)), // SQLite parses a statement anew whenever a LIMIT is bound
      ),
    );
  const byIdHash = byName("id_hash");
  const byUidHash = byName("uid_hash");
  const byUserCodeHash = byName("user_code_hash");

  const consuming = () =>
    read
      .updateTable("artifacts")
      .set({ consumed_at_seconds: param<number>(2) })
      .where("id_hash", "=", param<string>(1))
      .where("kind", "=", param<string>(0))
      .where("consumed_at_seconds", "is", null);
  const consume = statement(() => consuming());
  const whereGranted = ({ exists, selectFrom }: ExpressionBuilder<Schema, "artifacts">) =>
    exists(
      selectFrom("artifacts as grants")
        .select(sql.lit(1).as("one"))
        .where("grants.id_hash", "=", param<string>(3))
        .where("grants.kind", "=", sql.lit(GRANT)),
    );
  const consumeOfGrant = statement(() => consuming().where(whereGranted));
  const useAgain = statement(() =>
    read
      .updateTable("artifacts")
      .set((eb) => ({ consumed_at_seconds: eb.ref("artifacts.consumed_at_seconds") }))
      .where("id_hash", "=", param<string>(1))
      .where("kind", "=", param<string>(0))
      .where("consumed_at_seconds", ">=", param<number>(2))
      .where(whereGranted),
  );

  const destroy = statement(() =>
    read.deleteFrom("artifacts").where("id_hash", "=", param<string>(1)).where("kind", "=", param<string>(0)),
  );

  const expired = () =>
    read
      .selectFrom("artifacts")
      .select(["id_hash", "kind"])
      .where("expires_at_seconds", "<", param<number>(0))
      .orderBy("expires_at_seconds")
      .limit(limitParam(1));
  const deletion = (found: ReturnType<typeof expired>) =>
    read
      .deleteFrom("artifacts")
      .where(({ eb, refTuple }) => eb(refTuple("id_hash", "kind"), "in", found.$asTuple("id_hash", "kind")));
  const sweep = statement(() => deletion(expired()));
  // As the partial index has it.
  const sweepPending = statement(() =>
    deletion(
      expired()
        .where("user_id", "is", null)
        .where(
          "kind",
          "in",
          PENDING_KINDS.map((kind) => sql.lit(kind)),
        ),
    ),
  );

  const ofUser = (userId: string, kinds: readonly string[], limit: number) =>
    read
      .selectFrom("artifacts")
      .selectAll()
      .where("user_id", "=", userId)
      .where("kind", "in", kinds)
      .orderBy("expires_at_seconds", (order) => order.desc().nullsFirst())
      .limit(limit);

  async function find(read: typeof byIdHash, kind: string, hash: string): Promise<Artifact | null> {
    const row = await read(kind, hash);
    return row === undefined ? null : toArtifact(row);
  }

  const putting = (artifact: Artifact) =>
    bind(
      put,
      artifact.kind,
      artifact.idHash,
      artifact.grantId,
      artifact.userId,
      artifact.clientId,
      artifact.scope,
      artifact.uidHash,
      artifact.userCodeHash,
      artifact.payload,
      artifact.expiresAtSeconds,
      artifact.consumedAtSeconds,
      artifact.jkt ?? null,
      artifact.x5t ?? null,
      artifact.authTimeSeconds ?? null,
      artifact.acr ?? null,
      artifact.audience ?? null,
    );

  return {
    ...openAccessTokens(database),
    ...openRevocations(database, changes),

    async put(artifact) {
      await database.writeAtOnce([putting(artifact)]);
    },

    find: (kind, idHash) => find(byIdHash, kind, idHash),
    findByUid: (kind, uidHash) => find(byUidHash, kind, uidHash),
    findByUserCode: (kind, userCodeHash) => find(byUserCodeHash, kind, userCodeHash),

    async consume(kind, idHash, atSeconds) {
      const [changed] = await ending(kind, idHash).writeAtOnce([bind(consume, kind, idHash, atSeconds)]);
      return changed === 1;
    },

    // First inside the gates and then at the grant: a revocation is over, or waits for this one to end.
    async redeem({ kind, idHash, atSeconds, grantHash, issued, againSinceSeconds }) {
      const consumption =
        againSinceSeconds === undefined
          ? bind(consumeOfGrant, kind, idHash, atSeconds, grantHash)
          : bind(useAgain, kind, idHash, againSinceSeconds, grantHash);
      const isConsumed = (changed: readonly number[]) => changed.at(-1) === 1;
      return isConsumed(await database.writeAtOnce([...issued.map(putting), consumption], isConsumed));
    },

    async destroy(kind, idHash) {
      await ending(kind, idHash).writeAtOnce([bind(destroy, kind, idHash)]);
    },

    listOfUser: async (userId, kinds) => (await ofUser(userId, kinds, 1_000).execute()).map(toArtifact),

    // One person after the other within the statement, so that nobody's many rows push out those of others.
    async listOfEach(userIds, kinds, limit) {
      const [first, ...others] = userIds.map((id) => read.selectFrom(ofUser(id, kinds, limit).as("own")).selectAll());
      if (first === undefined) return [];
      const rows = await others.reduce((all, query) => all.unionAll(query), first).execute();
      return rows.map(toArtifact);
    },

    async sweep(beforeSeconds, limit) {
      const [changed = 0] = await database.writeAtOnce([bind(sweep, beforeSeconds, limit)]);
      return changed;
    },
    async sweepPending(beforeSeconds, limit) {
      const [changed = 0] = await database.writeAtOnce([bind(sweepPending, beforeSeconds, limit)]);
      return changed;
    },
  };
}

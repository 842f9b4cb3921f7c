import { sql } from "kysely";
import type { Door } from "../../domain/door.ts";
import type { Id } from "../../domain/id.ts";
import { presentScopes } from "../../domain/scopes.ts";
import type { AccessToken, ArtifactStore } from "../../domain/store/artifacts.ts";
import type { Role } from "../../domain/viewer.ts";
import type { Database, Row } from "../database/database.ts";
import { param, whenNeeded } from "../database/statement.ts";
import { ACTIVE } from "./user-row.ts";

/** The protocol engine's names for tokens that open the API: those of people and those of clients for themselves. */
export const ACCESS_TOKEN_KINDS = ["AccessToken", "ClientCredentials"];

/** SQL: the owner of the client may sign in. */
const OWNER_ACTIVE = sql<boolean>`owners.id is not null and owners.disabled_at is null and owners.deletes_at is null and owners.deleted_at is null`;

/** Looks tokens up for resource servers. */
export function openAccessTokens(database: Database): Pick<ArtifactStore, "findAccessToken"> {
  const liveToken = whenNeeded(() =>
    database.prepareRow(
      database.read
        .selectFrom("artifacts")
        .innerJoin("clients", "clients.id", "artifacts.client_id")
        .leftJoin("users", "users.id", "artifacts.user_id")
        .leftJoin("users as owners", "owners.id", "clients.owner_id")
        .select(["artifacts.user_id", "users.role", "artifacts.client_id", "artifacts.scope", "expires_at_seconds"])
        .select(["id_hash", "grant_id", "jkt", "x5t", "clients.scopes", "clients.origin"])
        .select(["auth_time_seconds", "acr", "users.second_step", "audience"])
        .where("id_hash", "=", param<string>(0))
        .where("kind", "in", ACCESS_TOKEN_KINDS)
        .where("expires_at_seconds", ">", param<number>(1))
        .where("consumed_at_seconds", "is", null)
        .where("clients.disabled_at", "is", null)
        .where(ACTIVE)
        .where((eb) => eb.or([eb("clients.owner_id", "is", null), OWNER_ACTIVE]))
        .where((eb) => eb.or([eb("artifacts.user_id", "is", null), eb("users.id", "is not", null)]))
        .compile(),
    ),
  );

  return {
    async findAccessToken(idHash, nowSeconds) {
      const row = await liveToken().run([idHash, nowSeconds]);
      return row === undefined ? null : toAccessToken(row);
    },
  };
}

/** The columns in the order in which `liveToken` selects them. */
function toAccessToken(row: Row): AccessToken {
  const [
    userId,
    role,
    clientId,
    scope,
    expiresAtSeconds,
    idHash,
    grantId,
    jkt,
    x5t,
    registered,
    origin,
    authTime,
    acr,
    secondStep,
    audience,
  ] = row;
  const granted = (scope as string | null) ?? "";
  return {
    idHash: idHash as string,
    grantId: grantId as string | null,
    userId: userId as Id | null,
    role: role as Role | null,
    clientId: clientId as string,
    // A document is the registration of its client. The row is a copy from the last consent, and may be older.
    scope: origin === "document" ? granted : presentScope(granted, registered as string, role as Role | null),
    expiresAtSeconds: expiresAtSeconds as number,
    jkt: jkt as string | null,
    x5t: x5t as string | null,
    authTimeSeconds: authTime as number | null,
    acr: acr as string | null,
    audience: audience as Door | null,
    hasSecondStep: Number(secondStep) === 1,
  };
}

/** @param registered the client's scopes, as JSON */
function presentScope(granted: string, registered: string, role: Role | null): string {
  return presentScopes(granted.split(" "), JSON.parse(registered) as string[], role).join(" ");
}

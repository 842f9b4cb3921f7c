import type { Selectable } from "kysely";
import type { Door } from "../../domain/door.ts";
import type { Artifact } from "../../domain/store/artifacts.ts";
import type { ArtifactTable } from "../database/schema.ts";

export const ARTIFACT_COLUMNS = [
  "kind",
  "id_hash",
  "grant_id",
  "user_id",
  "client_id",
  "scope",
  "uid_hash",
  "user_code_hash",
  "payload",
  "expires_at_seconds",
  "consumed_at_seconds",
  "jkt",
  "x5t",
  "auth_time_seconds",
  "acr",
  "audience",
] as const satisfies readonly (keyof ArtifactTable)[];

export function toArtifact(row: Selectable<ArtifactTable>): Artifact {
  return {
    kind: row.kind,
    idHash: row.id_hash,
    grantId: row.grant_id,
    userId: row.user_id,
    clientId: row.client_id,
    scope: row.scope,
    uidHash: row.uid_hash,
    userCodeHash: row.user_code_hash,
    payload: row.payload,
    expiresAtSeconds: row.expires_at_seconds,
    consumedAtSeconds: row.consumed_at_seconds,
    jkt: row.jkt,
    x5t: row.x5t,
    authTimeSeconds: row.auth_time_seconds,
    acr: row.acr,
    audience: row.audience as Door | null,
  };
}

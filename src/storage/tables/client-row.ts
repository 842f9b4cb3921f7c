import { type Kysely, type Selectable, sql } from "kysely";
import type { CertificateSubject } from "../../domain/clients/certificate-subject.ts";
import { type Client, type GrantType, type NewClient, nameKey } from "../../domain/clients/client.ts";
import type { JwkSet } from "../../domain/clients/jwk-set.ts";
import { AppError } from "../../domain/errors.ts";
import type { ClientTable } from "../database/client-schema.ts";
import type { Schema } from "../database/schema.ts";
import { ACTIVE } from "./user-row.ts";

const CLIENT_COLUMNS = [
  "id",
  "name",
  "type",
  "secret_hash",
  "redirect_uris",
  "post_logout_redirect_uris",
  "grant_types",
  "scopes",
  "first_party",
  "created_at",
  "disabled_at",
  "id_token_algorithm",
  "backchannel_logout_uri",
  "jwks",
  "dpop_bound",
  "origin",
  "registration_token_hash",
  "jwks_uri",
  "must_push",
  "must_sign",
  "certificate_subject",
  "self_signed",
  "certificate_bound",
  "assertion_algorithm",
  "resource_server",
  "owner_id",
  "disabled_by",
  "last_used_at",
  "other_secret_hashes",
  "trial_until",
] as const satisfies readonly (keyof ClientTable)[];

/** The columns in the order in which `selectClients` gives them. */
export const SELECTED_COLUMNS = [...CLIENT_COLUMNS, "owner_name", "owner_active"] as const;

export type ClientRow = Pick<Selectable<ClientTable>, (typeof CLIENT_COLUMNS)[number]> & {
  readonly owner_name: string | null;
  readonly owner_active: number;
};

/** Clients, each with its owner. */
export function selectClients(db: Kysely<Schema>) {
  return db
    .selectFrom("clients")
    .leftJoin("users", "users.id", "clients.owner_id")
    .select(CLIENT_COLUMNS.map((column) => `clients.${column}` as const))
    .select(["users.name as owner_name", sql<number>`case when ${ACTIVE} then 1 else 0 end`.as("owner_active")]);
}

/** The client within a transaction. @throws AppError NOT_FOUND */
export async function clientWithin(tx: Kysely<Schema>, id: string): Promise<Client> {
  const row = await selectClients(tx).where("clients.id", "=", id).executeTakeFirst();
  if (row === undefined) throw noClient(id);
  return toClient(row);
}

export function noClient(id: string): AppError {
  return new AppError("NOT_FOUND", `There is no client with the id ${id}.`);
}

/** Whether a database could keep the text: one of them fails at the question for any other. */
export function canBeStored(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Settings of a client, as columns. A person's client is stored as a registered one with an owner. */
export function settingsOf(client: NewClient) {
  const { origin = "operator" } = client;
  return {
    name: client.name,
    name_key: nameKey(client.name),
    type: client.type,
    secret_hash: client.secretHash,
    redirect_uris: JSON.stringify(client.redirectUris),
    post_logout_redirect_uris: JSON.stringify(client.postLogoutRedirectUris),
    grant_types: JSON.stringify(client.grantTypes),
    scopes: JSON.stringify(client.scopes),
    first_party: Number(client.firstParty),
    id_token_algorithm: client.idTokenAlgorithm ?? "ES256",
    backchannel_logout_uri: client.backchannelLogoutUri ?? null,
    jwks: client.jwks == null ? null : JSON.stringify(client.jwks),
    jwks_uri: client.jwksUri ?? null,
    must_push: Number(client.mustPush ?? false),
    must_sign: Number(client.mustSign ?? false),
    certificate_subject: client.certificateSubject == null ? null : JSON.stringify(client.certificateSubject),
    self_signed: Number(client.selfSigned ?? false),
    certificate_bound: Number(client.certificateBound ?? false),
    assertion_algorithm: client.assertionAlgorithm ?? null,
    resource_server: client.resourceServer ?? null,
    dpop_bound: Number(client.dpopBound ?? false),
    origin: origin === "person" ? "registration" : origin,
    registration_token_hash: client.registrationTokenHash ?? null,
  } as const satisfies Partial<ClientTable>;
}

export function toClient(row: ClientRow): Client {
  const { owner_id: ownerId, owner_name: ownerName } = row;
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    secretHash: row.secret_hash,
    otherSecretHashes: row.other_secret_hashes?.split(" ") ?? [],
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    postLogoutRedirectUris: JSON.parse(row.post_logout_redirect_uris) as string[],
    grantTypes: JSON.parse(row.grant_types) as GrantType[],
    scopes: JSON.parse(row.scopes) as string[],
    firstParty: row.first_party === 1,
    idTokenAlgorithm: row.id_token_algorithm,
    backchannelLogoutUri: row.backchannel_logout_uri,
    jwks: row.jwks === null ? null : (JSON.parse(row.jwks) as JwkSet),
    jwksUri: row.jwks_uri,
    mustPush: row.must_push === 1,
    mustSign: row.must_sign === 1,
    certificateSubject:
      row.certificate_subject === null ? null : (JSON.parse(row.certificate_subject) as CertificateSubject),
    selfSigned: row.self_signed === 1,
    certificateBound: row.certificate_bound === 1,
    assertionAlgorithm: row.assertion_algorithm,
    resourceServer: row.resource_server,
    dpopBound: row.dpop_bound === 1,
    origin: ownerId === null ? row.origin : "person",
    owner:
      ownerId === null
        ? null
        : { id: ownerId, name: ownerName ?? "", isActive: ownerName !== null && row.owner_active === 1 },
    registrationTokenHash: row.registration_token_hash,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledBy: row.disabled_by,
    lastUsedAt: row.last_used_at,
    trialUntil: row.trial_until,
  };
}

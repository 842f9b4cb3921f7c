import type { SubjectKind } from "../../domain/clients/certificate-subject.ts";
import type { Client, GrantType } from "../../domain/clients/client.ts";
import { DEVICE_GRANT } from "../../domain/clients/client.ts";
import { type ClientInput, type ClientUpdate, DEFAULT_GRANTS } from "../../domain/clients/client-administration.ts";
import type { ClientSecret } from "../../domain/clients/client-secret.ts";
import { type JwkSet, readJwkSet } from "../../domain/clients/jwk-set.ts";
import { badInput } from "../../domain/errors.ts";
import { OPEN_SCOPES } from "../../domain/scopes.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Value } from "../plan/object-shape.ts";
import { enumName, enumValue } from "./field.ts";

/** Input about a client, as the schema coerces it: what has a default is there. */
interface GivenClient {
  readonly name: string;
  readonly type: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly grantTypes?: readonly string[] | null;
  readonly scopes?: readonly string[] | null;
  readonly firstParty?: boolean;
  readonly dpopBound: boolean;
  readonly idTokenAlgorithm: Client["idTokenAlgorithm"];
  readonly backchannelLogoutUri?: string | null;
  readonly jwks?: string | null;
  readonly jwksUri?: string | null;
  readonly assertionAlgorithm?: Client["assertionAlgorithm"];
  readonly resourceServer?: string | null;
  readonly certificateSubject?: { readonly kind: string; readonly value: string } | null;
  readonly selfSigned?: boolean;
  readonly certificateBound?: boolean;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
}

/** @throws AppError BAD_USER_INPUT */
export function newClientOf(input: unknown): ClientInput {
  const given = input as GivenClient;
  return {
    ...given,
    firstParty: given.firstParty ?? false,
    type: enumValue(given.type) as Client["type"],
    grantTypes: given.grantTypes?.map(grantOf) ?? DEFAULT_GRANTS,
    scopes: given.scopes ?? OPEN_SCOPES,
    backchannelLogoutUri: given.backchannelLogoutUri ?? null,
    jwks: readKeys(given.jwks),
    jwksUri: given.jwksUri ?? null,
    assertionAlgorithm: given.assertionAlgorithm ?? null,
    resourceServer: given.resourceServer ?? null,
    certificateSubject: subjectOf(given.certificateSubject),
  };
}

/** Settings that may be null. Of all others null says the same as nothing. */
const NULLABLE: ReadonlySet<string> = new Set<keyof GivenClient>([
  ...(["backchannelLogoutUri", "jwks", "jwksUri", "assertionAlgorithm", "resourceServer"] as const),
]);

/** @throws AppError BAD_USER_INPUT */
export function changedClientOf(input: unknown): ClientUpdate {
  const given = input as Partial<GivenClient>;
  const { type: _, jwks, certificateSubject, grantTypes, ...rest } = given;
  const kept = Object.entries(rest).filter(([name, value]) => value != null || NULLABLE.has(name));
  return {
    ...(Object.fromEntries(kept) as ClientUpdate),
    ...(jwks === undefined ? {} : { jwks: readKeys(jwks) }),
    ...(certificateSubject == null ? {} : { certificateSubject: subjectOf(certificateSubject) }),
    ...(grantTypes == null ? {} : { grantTypes: grantTypes.map(grantOf) }),
  };
}

function readKeys(text: string | null | undefined): JwkSet | null {
  if (text == null) return null;
  let jwks: unknown;
  try {
    jwks = JSON.parse(text);
  } catch {
    throw badInput("jwks", "jwks must be a JWK Set in JSON.");
  }
  return readJwkSet("jwks", jwks);
}

function subjectOf(given: GivenClient["certificateSubject"]): Client["certificateSubject"] {
  return given == null ? null : { ...given, kind: enumValue(given.kind) as SubjectKind };
}

function grantOf(name: string): GrantType {
  return name === "DEVICE_CODE" ? DEVICE_GRANT : (name.toLowerCase() as GrantType);
}

/** Clients with what stands in other rows. */
export async function clientValues({ clients }: Pick<Store, "clients">, listed: readonly Client[]): Promise<Value[]> {
  const secrets = await clients.listSecrets(listed.filter(({ type }) => type === "confidential").map(({ id }) => id));
  const ofClient = Map.groupBy(secrets, ({ clientId }) => clientId);
  return listed.map((client) => clientValue(client, ofClient.get(client.id) ?? []));
}

export async function clientValueOf(store: Pick<Store, "clients">, client: Client): Promise<Value> {
  return (await clientValues(store, [client]))[0] as Value;
}

function clientValue(client: Client, secrets: readonly ClientSecret[]): Value {
  const { secretHash, otherSecretHashes: _, registrationTokenHash: __, disabledBy, jwks, ...shown } = client;
  const { certificateSubject: subject } = client;
  return {
    ...shown,
    type: enumName(client.type),
    origin: enumName(client.origin),
    grantTypes: client.grantTypes.map((grant) => (grant === DEVICE_GRANT ? "DEVICE_CODE" : enumName(grant))),
    hasSecret: secretHash !== null,
    jwks: jwks === null ? null : JSON.stringify(jwks),
    certificateSubject: subject === null ? null : { ...subject, kind: enumName(subject.kind) },
    disabledByOwner: disabledBy === "owner",
    secrets: secrets.map(({ id, hint, createdAt, lastUsedAt, endedAt }) => ({
      ...{ id, hint, createdAt, lastUsedAt, endedAt },
    })),
  };
}

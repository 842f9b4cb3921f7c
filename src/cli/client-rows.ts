import type { Client } from "../domain/clients/client.ts";

/** The columns of a list. */
export function summary({ id, name, type, origin, createdAt, disabledAt }: Client) {
  const state = disabledAt === null ? "active" : "disabled";
  return { client_id: id, name, type, origin, created: createdAt.slice(0, 10), state };
}

/** Everything but secrets and keys. */
export function describe(client: Client) {
  return {
    client_id: client.id,
    name: client.name,
    type: client.type,
    origin: client.origin,
    redirectUris: client.redirectUris,
    grantTypes: client.grantTypes,
    scopes: client.scopes,
    firstParty: client.firstParty,
    dpopBound: client.dpopBound,
    certificateSubject: client.certificateSubject === null ? null : Object.values(client.certificateSubject).join(" "),
    selfSigned: client.selfSigned,
    certificateBound: client.certificateBound,
    mustPush: client.mustPush,
    mustSign: client.mustSign,
    idTokenAlgorithm: client.idTokenAlgorithm,
    backchannelLogoutUri: client.backchannelLogoutUri,
    jwksUri: client.jwksUri,
    assertionAlgorithm: client.assertionAlgorithm,
    resourceServer: client.resourceServer,
    owner: client.owner === null ? null : `${client.owner.name} (${client.owner.id})`,
    createdAt: client.createdAt,
    lastUsedAt: client.lastUsedAt,
    disabledAt: client.disabledAt,
  };
}

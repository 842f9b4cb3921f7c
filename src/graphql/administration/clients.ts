import type { SubjectKind } from "../../domain/clients/certificate-subject.ts";
import type { Client, GrantType } from "../../domain/clients/client.ts";
import { DEVICE_GRANT } from "../../domain/clients/client.ts";
import {
  type ClientAdministration,
  type ClientInput,
  DEFAULT_GRANTS,
  disableClient,
  enableClient,
  registerClient,
  rotateClientSecret,
} from "../../domain/clients/client-administration.ts";
import { type JwkSet, readJwkSet } from "../../domain/clients/jwk-set.ts";
import { badInput, withinInput } from "../../domain/errors.ts";
import { OPEN_SCOPES } from "../../domain/scopes.ts";
import { stillThere } from "../execution/change.ts";
import type { Value } from "../plan/object-shape.ts";
import { type AdministrationContext, type Change, enumName, enumValue, type Query } from "./field.ts";

export const CLIENT_QUERIES: Readonly<Record<string, Query>> = {
  client: async ({ store }, { id }) => {
    const client = await store.clients.find(id as string);
    return client === null ? null : clientValue(client);
  },
  // All of them are read: there are few beside those of people, and each start reads them too.
  clients: async ({ store, first }, { after }) => {
    const newest = (await store.clients.list()).reverse();
    const start = after == null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const isKnown = after == null || start > 0;
    return isKnown ? newest.slice(start, start + first).map(clientValue) : [];
  },
};

export const CLIENT_CHANGES: Readonly<Record<string, Change>> = {
  createClient: {
    async make(context, args) {
      const { client, secret } = await withinInput("input.", async () =>
        registerClient(administrationOf(context), inputOf(args.input as GivenClient)),
      );
      return { client: clientValue(client), clientSecret: secret };
    },
    recall,
  },
  rotateClientSecret: {
    async make(context, args) {
      const { client, secret } = await rotateClientSecret(administrationOf(context), args.id as string);
      return { client: clientValue(client), clientSecret: secret };
    },
    recall,
  },
  disableClient: changing(disableClient),
  enableClient: changing(enableClient),
};

/** As the schema coerces it: what has a default is there. */
interface GivenClient {
  readonly name: string;
  readonly type: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly grantTypes?: readonly string[] | null;
  readonly scopes?: readonly string[] | null;
  readonly firstParty: boolean;
  readonly dpopBound: boolean;
  readonly idTokenAlgorithm: Client["idTokenAlgorithm"];
  readonly backchannelLogoutUri?: string | null;
  readonly jwks?: string | null;
  readonly jwksUri?: string | null;
  readonly assertionAlgorithm?: Client["assertionAlgorithm"];
  readonly resourceServer?: string | null;
  readonly certificateSubject?: { readonly kind: string; readonly value: string } | null;
  readonly selfSigned: boolean;
  readonly certificateBound: boolean;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
}

/** @throws AppError BAD_USER_INPUT */
function inputOf(given: GivenClient): ClientInput {
  const { jwks, certificateSubject: subject } = given;
  return {
    ...given,
    type: enumValue(given.type) as Client["type"],
    grantTypes: given.grantTypes?.map(grantOf) ?? DEFAULT_GRANTS,
    scopes: given.scopes ?? OPEN_SCOPES,
    backchannelLogoutUri: given.backchannelLogoutUri ?? null,
    jwks: jwks == null ? null : readKeys(jwks),
    jwksUri: given.jwksUri ?? null,
    assertionAlgorithm: given.assertionAlgorithm ?? null,
    resourceServer: given.resourceServer ?? null,
    certificateSubject: subject == null ? null : { ...subject, kind: enumValue(subject.kind) as SubjectKind },
  };
}

function readKeys(text: string): JwkSet {
  let jwks: unknown;
  try {
    jwks = JSON.parse(text);
  } catch {
    throw badInput("jwks", "jwks must be a JWK Set in JSON.");
  }
  return readJwkSet("jwks", jwks);
}

function changing(change: (administration: ClientAdministration, id: string) => Promise<Client>): Change {
  return {
    make: async (context, args) => ({
      client: clientValue(await change(administrationOf(context), args.id as string)),
    }),
    recall,
  };
}

async function recall({ store }: AdministrationContext, id: string): Promise<Value> {
  return { client: clientValue(stillThere(await store.clients.find(id))) };
}

function administrationOf(context: AdministrationContext): ClientAdministration {
  return { ...context, credentials: context.clientCredentials };
}

function clientValue({ secretHash, registrationTokenHash: _, jwks, ...client }: Client): Value {
  const { certificateSubject: subject } = client;
  return {
    ...client,
    type: enumName(client.type),
    origin: enumName(client.origin),
    grantTypes: client.grantTypes.map((grant) => (grant === DEVICE_GRANT ? "DEVICE_CODE" : enumName(grant))),
    hasSecret: secretHash !== null,
    jwks: jwks === null ? null : JSON.stringify(jwks),
    certificateSubject: subject === null ? null : { ...subject, kind: enumName(subject.kind) },
  };
}

function grantOf(name: string): GrantType {
  return name === "DEVICE_CODE" ? DEVICE_GRANT : (name.toLowerCase() as GrantType);
}

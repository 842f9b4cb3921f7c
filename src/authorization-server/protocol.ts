import type { ServerResponse } from "node:http";
import type { Sealer } from "../secrets/seal.ts";
import { type Access, openAccess } from "./account/access.ts";
import { type AccountHandlers, openAccount } from "./account/account.ts";
import { openClientDocuments } from "./clients/client-documents.ts";
import { openClientAdapter } from "./clients/clients.ts";
import { openFindAccount } from "./engine/accounts.ts";
import { openAdapters } from "./engine/adapter.ts";
import type { Audit } from "./engine/audit.ts";
import { openProtocolPages } from "./engine/protocol-pages.ts";
import { openConsentMemory } from "./grants/consent-memory.ts";
import { engineRequest, type ReceivedRequest } from "./http/engine-request.ts";
import type { RequestLimit } from "./http/request-limit.ts";
import type { AuthorizationServerOptions } from "./options.ts";
import { openProvider } from "./provider.ts";
import { type InteractionHandlers, openInteractions } from "./sign-in/interaction.ts";
import { openPastInteractions } from "./sign-in/past-interactions.ts";
import { openSignInCheck } from "./sign-in/sign-in-check.ts";
import type { KeySet } from "./tokens/key-ring.ts";
import { createAccessToken, type NewAccessToken } from "./tokens/operator-token.ts";
import { openResources } from "./tokens/resources.ts";

export interface ProtocolOptions extends AuthorizationServerOptions {
  readonly sealer: Sealer;
  readonly audit: Audit;
  readonly keys: KeySet;
  readonly areKeysFresh: () => boolean;
  readonly now: () => number;
  /** How many changes of clients this process has been told of. */
  readonly clientChanges: () => number;
  readonly limit: RequestLimit;
}

/** What needs the protocol engine. */
export interface Protocol {
  /** Writes the engine's answer to the response. */
  callEngine(request: ReceivedRequest, response: ServerResponse): Promise<void>;
  readonly interactions: InteractionHandlers;
  readonly account: AccountHandlers;
  readonly access: Access;
  /** @throws AppError NOT_FOUND for a client that is unknown or disabled */
  createAccessToken(input: NewAccessToken): Promise<{ token: string; expiresAtSeconds: number }>;
}

/**
 * The engine with all that is ours around it. It stands apart because it takes half of the time to start and a third
 * of the memory: it is loaded when the first person or client comes, and the content API is up before.
 */
export function openProtocol(options: ProtocolOptions): Protocol {
  const { issuer, operator, secret, store, sealer, audit, keys, log, now } = options;
  const { mode: certificates, read: readCertificate } = options.certificates ?? { mode: "off", read: () => null };
  const documents =
    options.clientDocuments === true
      ? openClientDocuments({ store, certificates, fetch: options.fetch, log, now })
      : null;
  const adapterOptions = { store, sealer, now };
  const clients = openClientAdapter({ store, documents, certificates });
  const resources = openResources(`${options.resource}/graphql`, options.resources ?? []);
  const consents = openConsentMemory(store, sealer, now);
  const past = openPastInteractions(adapterOptions, issuer);
  const provider = openProvider({
    issuer,
    operator,
    resources,
    sealer,
    certificates,
    secret,
    accessTokenTtl: options.accessTokenTtl,
    refreshTokenTtl: options.refreshTokenTtl,
    store,
    adapter: openAdapters(adapterOptions, clients),
    findAccount: openFindAccount(store),
    consents,
    jwks: keys,
    fetch: options.fetch,
    isClientOrigin: options.isClientOrigin,
    clientChanges: options.clientChanges,
    limit: options.limit,
    registers: (options.registration ?? null) !== null,
    takesDocuments: documents !== null,
    dpopNonces: options.dpopNonces ?? false,
    takesSignedRequests: options.signedRequests ?? false,
    signsResponses: options.signedResponses ?? false,
    jwksMaxAge: () => (options.areKeysFresh() ? options.jwksMaxAge : 0),
    pages: openProtocolPages({ operator, wayBack: past.wayBack }),
    log,
    audit,
    now,
  });
  const checkSignIn = openSignInCheck(store, audit, now);
  const access = openAccess({ ...adapterOptions, provider, log });
  const address = new URL(issuer);
  const callEngine = provider.callback();
  return {
    callEngine: (request, response) => callEngine(engineRequest(request, address, readCertificate), response),
    interactions: openInteractions({
      issuer,
      operator,
      secret,
      provider,
      store,
      consents,
      resources,
      past,
      documents,
      checkSignIn,
      log,
      audit,
    }),
    account: openAccount({ issuer, operator, secret, provider, store, access, checkSignIn, log, audit, now }),
    access,
    createAccessToken: (input) => createAccessToken(provider, input),
  };
}

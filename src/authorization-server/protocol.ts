import type { ServerResponse } from "node:http";
import type { AccessControl } from "../domain/people/person-access.ts";
import { type Access, openAccess } from "./account/access.ts";
import { openAccessOverview } from "./account/access-overview.ts";
import { type Account, openAccount } from "./account/account.ts";
import { openClientDocuments } from "./clients/client-documents.ts";
import { openClientAdapter } from "./clients/clients.ts";
import { openFindAccount } from "./engine/accounts.ts";
import { openAdapters } from "./engine/adapter.ts";
import { HostBounds } from "./engine/host-bounds.ts";
import { openProtocolPages } from "./engine/protocol-pages.ts";
import { openEngine } from "./engine/spent-contexts.ts";
import { openConsentMemory } from "./grants/consent-memory.ts";
import {
  type CreatedAccessToken,
  createAccessToken,
  createClientToken,
  type NewAccessToken,
  type NewClientToken,
} from "./grants/operator-token.ts";
import { engineRequest, type ReceivedRequest } from "./http/engine-request.ts";
import type { AuthorizationServerSettings, ProtocolServices } from "./options.ts";
import { openProvider } from "./provider.ts";
import { openAfterSignIn } from "./sign-in/after-sign-in.ts";
import { type InteractionHandlers, openInteractions } from "./sign-in/interaction.ts";
import { openKeptAccounts } from "./sign-in/kept-accounts.ts";
import { openPastInteractions, type PastInteractions } from "./sign-in/past-interactions.ts";
import { openSignInCheck } from "./sign-in/sign-in-check.ts";
import { openSignInSteps } from "./sign-in/steps.ts";
import { openResources } from "./tokens/resources.ts";

/** Parts that need the protocol engine. */
export interface Protocol {
  /** Writes the engine's answer to the response. */
  callEngine(request: ReceivedRequest, response: ServerResponse): Promise<void>;
  readonly interactions: InteractionHandlers;
  readonly account: Account;
  readonly access: Access;
  /** Sessions and allowed clients of people, for administrators. */
  readonly overview: Pick<AccessControl, "listOfEach" | "ownerOf">;
  readonly past: PastInteractions;
  /** @throws AppError NOT_FOUND for a client that is unknown or disabled */
  createAccessToken(input: NewAccessToken): Promise<CreatedAccessToken>;
  createClientToken(input: NewClientToken): Promise<Omit<CreatedAccessToken, "id">>;
}

/**
 * The engine with all that is ours around it. It stands apart because it takes half of the time to start and a third
 * of the memory: it is loaded when the first person or client comes, and the content API is up before.
 */
export function openProtocol(settings: AuthorizationServerSettings, services: ProtocolServices): Protocol {
  const { AUTH_URL: issuer, OPERATOR_NAME: operator, CLIENT_CERTIFICATES: certificates } = settings;
  const {
    secret,
    previousSecret,
    store,
    sealer,
    audit,
    known,
    passkeys,
    secondStep,
    signUp,
    upstreams,
    fetch,
    waiting,
    log,
    now,
  } = services;
  const bounds = new HostBounds(now);
  const documents = settings.CLIENT_DOCUMENTS
    ? openClientDocuments({
        ...{ store, sealer, certificates, nativeSchemes: settings.NATIVE_SCHEMES },
        ...{ fetch, bounds, log, now },
      })
    : null;
  const adapterOptions = { store, sealer, SESSION_MAX: settings.SESSION_MAX, now };
  const clients = openClientAdapter({ store, documents, certificates, waiting });
  const resources = openResources(settings);
  const consents = openConsentMemory(store, sealer, now);
  const past = openPastInteractions(adapterOptions, issuer);
  const provider = openProvider(settings, {
    ...services,
    ...{ resources, consents, bounds, documents },
    adapter: openAdapters(adapterOptions, clients, resources.doorOf),
    findAccount: openFindAccount(store),
    pages: openProtocolPages({ operator, command: services.command, wayBack: past.wayBack }),
  });
  const checkSignIn = openSignInCheck({ store, policy: upstreams.policy, known, secondStep, audit, now });
  const access = openAccess({ ...adapterOptions, provider, log });
  const address = new URL(issuer);
  const callEngine = openEngine(provider);
  const afterSignIn = openAfterSignIn(services);
  const steps = openSignInSteps({
    ...{ issuer, settings, store, upstreams, signUp, now },
    ...{ operator, supportContact: settings.SUPPORT_CONTACT, checkSignIn, kept: openKeptAccounts(services) },
    ...{ passkeys, secondStep, endAll: access.endAll, audit, log },
  });
  const signIns = {
    ...{ issuer, operator, settings, secret, previousSecret, provider, store },
    ...{ checkSignIn, steps, passkeys, secondStep, afterSignIn, signUp, upstreams, past, log, audit },
  };
  const account = openAccount({ ...services, ...signIns, access });
  return {
    callEngine: (request, response) => callEngine(engineRequest(request, address, services.readCertificate), response),
    interactions: openInteractions({
      ...signIns,
      ...{ consents, resources, documents },
      // The session begins before the question, and the client's request once more after it.
      async askToLink(request, reply, entrant, uid) {
        const question = account.linkQuestion(request, reply, entrant.user, uid);
        if (question !== null) await account.begin(request, reply, entrant);
        return question;
      },
    }),
    account,
    access,
    overview: openAccessOverview(adapterOptions),
    past,
    async createAccessToken(input) {
      const created = await createAccessToken(provider, input);
      await store.clients.markUsed(input.clientId);
      return created;
    },
    createClientToken: (input) => createClientToken(provider, input),
  };
}

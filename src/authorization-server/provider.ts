import Provider, { type AdapterFactory, type ClientAuthMethod, type FindAccount } from "oidc-provider";
import { ACRS } from "../domain/acr.ts";
import { ASSERTION_ALGORITHMS } from "../domain/clients/client.ts";
import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import { offeredScopes } from "../domain/scopes.ts";
import { deriveKey } from "../secrets/seal.ts";
import { persistOnlyStored, rememberOrigins, rememberWaysIn } from "./account/session-origin.ts";
import { assertClientAssertion } from "./clients/client-assertions.ts";
import { CERTIFICATE_METHODS, certificateFeature } from "./clients/client-certificates.ts";
import type { ClientDocuments } from "./clients/client-documents.ts";
import { readClientKeys } from "./clients/client-keys.ts";
import { openClientTrials } from "./clients/client-trials.ts";
import { openClientUses } from "./clients/client-uses.ts";
import { adaptClients } from "./clients/clients.ts";
import { EXTRA_METADATA } from "./clients/engine-client.ts";
import { assertProofIsDated, CLOCK_TOLERANCE, holdEnds } from "./engine/clocks.ts";
import { logEvents } from "./engine/events.ts";
import { guardEngine } from "./engine/guard.ts";
import type { HostBounds } from "./engine/host-bounds.ts";
import { guardIdTokenHints } from "./engine/id-token-hints.ts";
import { rememberClients } from "./engine/known-clients.ts";
import { engineFetch } from "./engine/outbound-fetch.ts";
import type { ProtocolPages } from "./engine/protocol-pages.ts";
import { refuseReplays } from "./engine/replay.ts";
import { assertRequestObject, REQUEST_ALGORITHMS } from "./engine/request-objects.ts";
import { keepPostLogoutUris } from "./engine/response-modes.ts";
import { keepAudiences, openTokenClaims } from "./grants/audiences.ts";
import { engineFor } from "./grants/checked-grants.ts";
import type { ConsentMemory } from "./grants/consent-memory.ts";
import { keepJwtAccessTokens, openJwtAnswers } from "./grants/jwt-access-tokens.ts";
import { rotatesRefreshTokens } from "./grants/kept-refresh-tokens.ts";
import { lifetimes } from "./grants/lifetimes.ts";
import { openLoadGrant } from "./grants/load-grant.ts";
import { keepScopesPresent } from "./grants/present-scopes.ts";
import { openRefreshGrace } from "./grants/refresh-grace.ts";
import { authorizationChecks } from "./grants/request-checks.ts";
import { PATHS } from "./http/endpoints.ts";
import type { EngineRequest } from "./http/engine-request.ts";
import { hostCookieName } from "./http/host-cookies.ts";
import { ID_TOKEN_ALGORITHMS } from "./http/own-metadata.ts";
import type { AuthorizationServerSettings, ProtocolServices } from "./options.ts";
import { deviceFlowFeature, guardDeviceFlow } from "./sign-in/device-flow.ts";
import { openInteractionPolicy } from "./sign-in/interaction-policy.ts";
import { CLAIMS } from "./tokens/claims.ts";
import { assertClaimsParameter } from "./tokens/claims-parameter.ts";
import { EngineKey } from "./tokens/engine-key.ts";
import type { Resources } from "./tokens/resources.ts";

export interface ProviderServices extends ProtocolServices {
  readonly resources: Resources;
  readonly adapter: AdapterFactory;
  readonly findAccount: FindAccount;
  readonly consents: ConsentMemory;
  readonly bounds: HostBounds;
  /** Null if client ids cannot be URLs of documents. */
  readonly documents: ClientDocuments | null;
  readonly pages: ProtocolPages;
}

/** How clients say who they are. */
const CLIENT_AUTH_METHODS: readonly ClientAuthMethod[] = [
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
  "none",
];

/** The protocol engine, with each of its knobs that differs from its default. */
export function openProvider(settings: AuthorizationServerSettings, services: ProviderServices): Provider {
  const { AUTH_URL: issuer, OPERATOR_NAME: operator } = settings;
  const { resources, pages, store, limit, findAccount, signUp, now } = services;
  const deviceFlow = { issuer, operator, store, now };
  const trials = openClientTrials(settings.STUDIO ? `${settings.BASE_URL}/studio/try` : null, now);
  const secure = issuer.startsWith("https:");
  const cookie = { httpOnly: true, sameSite: "lax", secure, signed: true } as const;

  const clientAuthMethods = [...CLIENT_AUTH_METHODS, ...CERTIFICATE_METHODS[settings.CLIENT_CERTIFICATES]];
  const engine = engineFor({
    ...{ resources, limit, now },
    artifacts: store.artifacts,
    attempts: store.attempts,
    retriesOf: openRefreshGrace({
      REFRESH_GRACE: settings.REFRESH_GRACE,
      ...{ attempts: store.attempts, audit: services.audit, now },
    }),
    formPost: pages.renderFormPost,
  });
  const provider = new engine(issuer, {
    adapter: services.adapter,
    findAccount,
    jwks: { keys: services.keys.keys.map((key) => new EngineKey(key)) },
    claims: CLAIMS,
    acrValues: [...ACRS],
    scopes: offeredScopes(settings.CLIENTS_BY),
    // Clients of this server read the person from the ID token, not only from the userinfo endpoint.
    conformIdTokenClaims: false,
    routes: PATHS,
    responseTypes: ["code"],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods,
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    enabledJWA: {
      idTokenSigningAlgValues: [...ID_TOKEN_ALGORITHMS],
      clientAuthSigningAlgValues: [...ASSERTION_ALGORITHMS],
      requestObjectSigningAlgValues: [...REQUEST_ALGORITHMS],
      authorizationSigningAlgValues: ["ES256", "RS256"],
      introspectionSigningAlgValues: ["ES256", "RS256"],
      dPoPSigningAlgValues: [...DPOP_ALGORITHMS],
    },
    extraClientMetadata: { properties: EXTRA_METADATA },
    extraParams: authorizationChecks(resources, limit, settings),
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin) === true || trials.isOrigin(client, origin),
    clockTolerance: CLOCK_TOLERANCE,
    async assertJwtClientAuthClaimsAndHeader(ctx, claims, header, client) {
      assertClientAssertion(ctx, claims, header, client);
      if (client.origin === "document") await services.documents?.noteAssertion(client.clientId);
    },
    cookies: {
      // The first signs, the others are accepted.
      keys: [services.secret, services.previousSecret].flatMap((secret) =>
        secret === null ? [] : [deriveKey(secret, "cookies").toString("base64url")],
      ),
      // The other two have paths, which `__Host-` forbids.
      names: {
        session: hostCookieName(issuer, "session"),
        interaction: secure ? "__Secure-interaction" : "content-api-interaction",
        resume: secure ? "__Secure-resume" : "content-api-resume",
      },
      long: cookie,
      short: cookie,
    },
    discovery: {
      protected_resources: [...resources.identifiers],
      ui_locales_supported: ["en"],
      // Initiating User Registration via OpenID Connect 1.0 section 4.2.
      prompt_values_supported: ["none", "login", "consent", "select_account", ...(signUp === "open" ? ["create"] : [])],
      ...(settings.REGISTRATION !== "off" ? { registration_endpoint: issuer + PATHS.registration } : {}),
      ...(settings.CLIENT_DOCUMENTS ? { client_id_metadata_document_supported: true } : {}),
    },
    // Access lasts as long as its tokens, not as the session: a person signs out of a browser, see `events.ts`.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client, { scopes }) =>
      client.grantTypeAllowed("refresh_token") &&
      services.briefScopes.get(client.clientId)?.some((scope) => scopes.has(scope)) !== true,
    rotateRefreshToken: rotatesRefreshTokens,
    ttl: lifetimes(settings, now),
    loadExistingGrant: openLoadGrant(store, services.consents, resources, settings),
    interactions: {
      policy: openInteractionPolicy(
        resources,
        signUp,
        {
          ...{ store, passkeyDomain: settings.PASSKEY_ID, demand: settings.SECOND_STEP },
        },
        trials,
      ),
      url: (_ctx, interaction) => `${issuer}/interaction/${interaction.uid}`,
    },
    renderError: pages.renderError,
    fetch: engineFetch(services.fetch),
    extraTokenClaims: openTokenClaims(resources),
    features: {
      devInteractions: { enabled: false },
      claimsParameter: { enabled: true, assertClaimsParameter },
      externalSigningSupport: { enabled: true, ack: "experimental-01" },
      deviceFlow: deviceFlowFeature(deviceFlow),
      // For those clients that are registered for it.
      clientCredentials: { enabled: true },
      dPoP: {
        enabled: true,
        ...(settings.DPOP_NONCES ? { nonceSecret: deriveKey(services.secret, "DPoP nonces") } : {}),
        // The engine asks this of every proof, before it looks at it.
        requireNonce(ctx) {
          assertProofIsDated(ctx);
          return settings.DPOP_NONCES;
        },
      },
      mTLS: certificateFeature(settings.CLIENT_CERTIFICATES),
      requestObjects: { enabled: settings.SIGNED_REQUESTS, assertJwtClaimsAndHeader: assertRequestObject },
      jwtResponseModes: { enabled: settings.SIGNED_RESPONSES },
      resourceIndicators: resources.feature,
      introspection: {
        enabled: true,
        // As at the resource server: a disabled person's tokens are not active.
        allowedPolicy: async (ctx, client, token) =>
          token.clientId === client.clientId &&
          (!("accountId" in token) || (await findAccount(ctx, token.accountId)) !== undefined),
      },
      jwtIntrospection: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: pages.renderSignOut,
        postLogoutSuccessSource: pages.renderSignedOut,
      },
    },
  });
  holdEnds(provider);
  adaptClients(provider, openClientUses(store.clients, services), trials);
  readClientKeys(provider, services);
  rememberClients(provider, services.clientChanges);
  guardIdTokenHints(provider);
  keepJwtAccessTokens(provider);
  keepScopesPresent(provider, store);
  keepAudiences(provider, resources);
  const answerForJwt = openJwtAnswers(provider, services);
  const jwksMaxAge = () => (services.areKeysFresh() ? settings.JWKS_MAX_AGE : 0);
  keepPostLogoutUris(provider);
  guardEngine(provider, { ...services, clientAuthMethods, answerForJwt, jwksMaxAge });
  persistOnlyStored(provider);
  rememberOrigins(provider, () => Provider.ctx?.req as EngineRequest | undefined, now);
  rememberWaysIn(provider, () => Provider.ctx?.oidc?.entities.Interaction);
  logEvents(provider, services.log, services.audit);
  guardDeviceFlow(provider, deviceFlow);
  refuseReplays(provider, store.attempts, now);
  return provider;
}

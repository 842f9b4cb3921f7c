import Provider, { type AdapterFactory, type ClientAuthMethod, type FindAccount } from "oidc-provider";
import { ASSERTION_ALGORITHMS } from "../domain/clients/client.ts";
import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import { SCOPES } from "../domain/scopes.ts";
import type { Log } from "../observe/log.ts";
import { deriveKey } from "../secrets/seal.ts";
import { rememberOrigins } from "./account/session-origin.ts";
import { assertClientAssertion } from "./clients/client-assertions.ts";
import { CERTIFICATE_METHODS, type CertificateMode, certificateFeature } from "./clients/client-certificates.ts";
import { readClientKeys } from "./clients/client-keys.ts";
import { adaptClients } from "./clients/clients.ts";
import { EXTRA_METADATA } from "./clients/engine-client.ts";
import type { AdapterOptions } from "./engine/adapter.ts";
import type { Audit } from "./engine/audit.ts";
import { assertProofIsDated, CLOCK_TOLERANCE, holdEnds } from "./engine/clocks.ts";
import { logEvents } from "./engine/events.ts";
import { guardEngine } from "./engine/guard.ts";
import { guardIdTokenHints } from "./engine/id-token-hints.ts";
import { rememberClients } from "./engine/known-clients.ts";
import { engineFetch, type OutboundFetch } from "./engine/outbound-fetch.ts";
import type { ProtocolPages } from "./engine/protocol-pages.ts";
import { refuseReplays } from "./engine/replay.ts";
import { assertRequestObject, REQUEST_ALGORITHMS } from "./engine/request-objects.ts";
import { engineFor } from "./grants/checked-grants.ts";
import type { ConsentMemory } from "./grants/consent-memory.ts";
import { addAuthenticationClaims, keepJwtAccessTokens, openJwtAnswers } from "./grants/jwt-access-tokens.ts";
import { lifetimes } from "./grants/lifetimes.ts";
import { openLoadGrant } from "./grants/load-grant.ts";
import { authorizationChecks } from "./grants/request-checks.ts";
import type { EngineRequest } from "./http/engine-request.ts";
import { PATHS } from "./http/paths.ts";
import type { RequestLimit } from "./http/request-limit.ts";
import { deviceFlowFeature, guardDeviceFlow } from "./sign-in/device-flow.ts";
import { openInteractionPolicy } from "./sign-in/interaction-policy.ts";
import { CLAIMS } from "./tokens/claims.ts";
import { assertClaimsParameter } from "./tokens/claims-parameter.ts";
import { EngineKey } from "./tokens/engine-key.ts";
import type { KeySet } from "./tokens/key-ring.ts";
import type { Resources } from "./tokens/resources.ts";

export interface ProviderOptions extends AdapterOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly resources: Resources;
  readonly secret: Uint8Array;
  /** Whether clients come with certificates. */
  readonly certificates: CertificateMode;
  readonly accessTokenTtl: number;
  readonly refreshTokenTtl: number;
  readonly adapter: AdapterFactory;
  readonly findAccount: FindAccount;
  readonly consents: ConsentMemory;
  readonly jwks: KeySet;
  /** Seconds for which they may be kept. */
  readonly jwksMaxAge: () => number;
  readonly isClientOrigin: (origin: string) => Promise<boolean>;
  /** How many changes of clients this process has been told of. */
  readonly clientChanges: () => number;
  readonly limit: RequestLimit;
  /** Whether clients may register themselves. */
  readonly registers: boolean;
  /** Whether the address of a document may be a client id. */
  readonly takesDocuments: boolean;
  /** Whether DPoP proofs must have a nonce of ours (RFC 9449 section 8). */
  readonly dpopNonces: boolean;
  /** Whether authorization requests may be signed (RFC 9101). */
  readonly takesSignedRequests: boolean;
  /** Whether answers to them are signed for who wants that (JARM). */
  readonly signsResponses: boolean;
  /** Calls addresses that clients have registered. */
  readonly fetch: OutboundFetch;
  readonly pages: ProtocolPages;
  readonly log: Log;
  readonly audit: Audit;
}

/** How clients say who they are. */
const CLIENT_AUTH_METHODS: readonly ClientAuthMethod[] = [
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
  "none",
];

/** The protocol engine, with each of its knobs that differs from its default. */
export function openProvider(options: ProviderOptions): Provider {
  const { issuer, resources, pages, store, findAccount } = options;
  const secure = issuer.startsWith("https:");
  const cookie = { httpOnly: true, sameSite: "lax", secure, signed: true } as const;

  const clientAuthMethods = [...CLIENT_AUTH_METHODS, ...CERTIFICATE_METHODS[options.certificates]];
  const engine = engineFor({
    resources,
    limit: options.limit,
    artifacts: store.artifacts,
    attempts: store.attempts,
    now: options.now,
    formPost: pages.renderFormPost,
  });
  const provider = new engine(issuer, {
    adapter: options.adapter,
    findAccount,
    jwks: { keys: options.jwks.keys.map((key) => new EngineKey(key)) },
    claims: CLAIMS,
    scopes: SCOPES,
    // Clients of this server read the person from the ID token, not only from the userinfo endpoint.
    conformIdTokenClaims: false,
    routes: PATHS,
    responseTypes: ["code"],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods,
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    enabledJWA: {
      idTokenSigningAlgValues: ["ES256", "RS256"],
      clientAuthSigningAlgValues: [...ASSERTION_ALGORITHMS],
      requestObjectSigningAlgValues: [...REQUEST_ALGORITHMS],
      authorizationSigningAlgValues: ["ES256", "RS256"],
      dPoPSigningAlgValues: [...DPOP_ALGORITHMS],
    },
    extraClientMetadata: { properties: EXTRA_METADATA },
    extraParams: authorizationChecks(resources, options),
    clientBasedCORS: (_ctx, origin, client) =>
      client.redirectUris?.some((uri) => URL.parse(uri)?.origin === origin) === true,
    clockTolerance: CLOCK_TOLERANCE,
    assertJwtClientAuthClaimsAndHeader: assertClientAssertion,
    cookies: {
      keys: [deriveKey(options.secret, "cookies").toString("base64url")],
      // RFC 6265bis: a browser takes the prefixed ones only from us, over TLS. The short ones have paths, which `__Host-`
      // forbids. Cookies ignore ports: on localhost, the names are ours so that they meet no other program's.
      names: {
        session: secure ? "__Host-session" : "content-api-session",
        interaction: secure ? "__Secure-interaction" : "content-api-interaction",
        resume: secure ? "__Secure-resume" : "content-api-resume",
      },
      long: cookie,
      short: cookie,
    },
    discovery: {
      protected_resources: [...resources.identifiers],
      ui_locales_supported: ["en"],
      ...(options.registers ? { registration_endpoint: `${issuer.replace(/\/$/, "")}${PATHS.registration}` } : {}),
      ...(options.takesDocuments ? { client_id_metadata_document_supported: true } : {}),
    },
    // Access lasts as long as its tokens, not as the session: a person signs out of a browser, see `events.ts`.
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    ttl: lifetimes(options),
    loadExistingGrant: openLoadGrant(store, options.consents, resources),
    interactions: {
      policy: openInteractionPolicy(resources),
      url: (_ctx, interaction) => `${issuer.replace(/\/$/, "")}/interaction/${interaction.uid}`,
    },
    renderError: pages.renderError,
    fetch: engineFetch(options.fetch),
    formats: { customizers: { jwt: addAuthenticationClaims } },
    features: {
      devInteractions: { enabled: false },
      claimsParameter: { enabled: true, assertClaimsParameter },
      externalSigningSupport: { enabled: true, ack: "experimental-01" },
      deviceFlow: deviceFlowFeature(options),
      // For those clients that are registered for it.
      clientCredentials: { enabled: true },
      dPoP: {
        enabled: true,
        ...(options.dpopNonces ? { nonceSecret: deriveKey(options.secret, "DPoP nonces") } : {}),
        // The engine asks this of every proof, before it looks at it.
        requireNonce(ctx) {
          assertProofIsDated(ctx);
          return options.dpopNonces;
        },
      },
      mTLS: certificateFeature(options.certificates),
      requestObjects: { enabled: options.takesSignedRequests, assertJwtClaimsAndHeader: assertRequestObject },
      jwtResponseModes: { enabled: options.signsResponses },
      resourceIndicators: resources.feature,
      introspection: {
        enabled: true,
        // As at the resource server: a disabled person's tokens are not active.
        allowedPolicy: async (ctx, client, token) =>
          token.clientId === client.clientId &&
          (!("accountId" in token) || (await findAccount(ctx, token.accountId)) !== undefined),
      },
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
  adaptClients(provider);
  readClientKeys(provider, options);
  rememberClients(provider, options.clientChanges);
  guardIdTokenHints(provider);
  keepJwtAccessTokens(provider);
  const answerForJwt = openJwtAnswers(provider, options);
  guardEngine(provider, { ...options, clientAuthMethods, answerForJwt });
  rememberOrigins(provider, () => Provider.ctx?.req as EngineRequest | undefined, options.now);
  logEvents(provider, options.log, options.audit);
  guardDeviceFlow(provider, options);
  refuseReplays(provider, store.attempts, options.now);
  return provider;
}

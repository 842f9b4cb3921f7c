import type { FastifyPluginAsync } from "fastify";
import type { Store } from "../domain/store.ts";
import type { Log } from "../observe/log.ts";
import { openFindAccount } from "./accounts.ts";
import { openAdapters } from "./adapter.ts";
import { openConsentMemory } from "./consent.ts";
import { interactionRoutes } from "./interaction.ts";
import { loadSigningKeys } from "./keys.ts";
import { openPastInteractions } from "./past-interactions.ts";
import { openProtocolPages } from "./protocol-pages.ts";
import { openProvider } from "./provider.ts";
import { authorizationRoutes } from "./routes.ts";
import { openSealer } from "./seal.ts";
import { openSetUp } from "./set-up.ts";
import { openSweep } from "./sweep.ts";
import { createAccessToken, hashToken, type NewAccessToken } from "./tokens.ts";

export interface AuthorizationServerOptions {
  /** The issuer identifier, compared character by character everywhere. It may have a path. */
  readonly issuer: string;
  /** Public address of the API. Its resource identifier is `${resource}/graphql` (RFC 8707, RFC 9728). */
  readonly resource: string;
  /** Who runs this; shown on pages. */
  readonly operator: string;
  readonly store: Store;
  /** 32 random bytes that stay the same for as long as the installation does. */
  readonly secret: Uint8Array;
  /** Seconds. */
  readonly accessTokenTtl: number;
  /** Seconds without use; a year in all. */
  readonly refreshTokenTtl: number;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now?: () => number;
  /** Whether the address of a caller is the one that a trusted proxy gives (Fastify's `request.ip`). */
  readonly trustProxy?: boolean;
  /** Whether the start page says that this is a demonstration. */
  readonly demo?: boolean;
}

export interface AuthorizationServer {
  /** Everything that it answers. To be registered at the root. */
  readonly routes: FastifyPluginAsync;
  /** The one-time link at which the first administrator is made; it opens something only while there is nobody. */
  setUpUrl(): string;
  /** @throws AppError NOT_FOUND for a client that is unknown or disabled */
  createAccessToken(input: NewAccessToken): Promise<{ token: string; expiresAtSeconds: number }>;
  /** What `ArtifactStore.findAccessToken` takes. */
  hashToken(token: string): string;
  close(): Promise<void>;
}

/**
 * OAuth 2.0 and OpenID Connect: oidc-provider speaks the protocols; storage, pages, policy and keys are ours.
 *
 * @throws Error when the signing keys were sealed under another secret
 */
export async function openAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { issuer, operator, secret, store, log, now = () => Date.now(), trustProxy = false, demo = false } = options;
  const sealer = openSealer(secret);
  const adapterOptions = { store, sealer, now };
  const consents = openConsentMemory(store, sealer);
  const past = openPastInteractions(adapterOptions, issuer);
  const provider = openProvider({
    issuer,
    resource: `${options.resource}/graphql`,
    secret,
    accessTokenTtl: options.accessTokenTtl,
    refreshTokenTtl: options.refreshTokenTtl,
    store,
    adapter: openAdapters(adapterOptions),
    findAccount: openFindAccount(store),
    consents,
    jwks: await loadSigningKeys(store, sealer, now),
    pages: openProtocolPages({ operator, wayBack: past.wayBack }),
    log,
    now,
  });
  const setUp = openSetUp({ issuer, baseUrl: options.resource, operator, secret, store, demo, log });
  const interactions = interactionRoutes({
    issuer,
    operator,
    secret,
    provider,
    store,
    consents,
    past,
    trustProxy,
    log,
  });
  const sweep = openSweep(store, now, log);
  return {
    routes: authorizationRoutes({ issuer, operator, provider, setUp: setUp.routes, interactions, log }),
    setUpUrl: setUp.url,
    createAccessToken: (input) => createAccessToken(provider, input),
    hashToken,
    close: sweep.close,
  };
}

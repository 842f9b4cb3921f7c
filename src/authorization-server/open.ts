import type { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyPluginAsync } from "fastify";
import type { Store } from "../domain/store.ts";
import type { Log } from "../observe/log.ts";
import { openAudit } from "./audit.ts";
import type { CertificateMode } from "./client-certificates.ts";
import { openClientOrigins } from "./cors.ts";
import { isClientPath } from "./engine-guard.ts";
import { type KeySet, openKeyRing } from "./key-ring.ts";
import { mountPath } from "./paths.ts";
import type { Protocol } from "./protocol.ts";
import { type RegistrationPolicy, registrationRoutes } from "./registration.ts";
import { openRequestLimit, type RequestLimits } from "./request-limit.ts";
import type { Resource } from "./resources.ts";
import { authorizationRoutes } from "./routes.ts";
import { openSealer } from "./seal.ts";
import { openSetUp } from "./set-up.ts";
import { openSweep } from "./sweep.ts";
import { openTokenRoute, type TokenRoute, type TokenRouteOptions } from "./token-route.ts";
import { hashToken, type NewAccessToken } from "./tokens.ts";

export interface AuthorizationServerOptions {
  /** The issuer identifier, compared character by character everywhere. It may have a path. */
  readonly issuer: string;
  /** Public address of the API. Its resource identifier is `${resource}/graphql` (RFC 8707, RFC 9728). */
  readonly resource: string;
  /** Other APIs that our access tokens may be for. */
  readonly resources?: readonly Resource[];
  /** Who runs this; shown on pages. */
  readonly operator: string;
  readonly store: Store;
  /** 32 random bytes that stay the same for as long as the installation does. */
  readonly secret: Uint8Array;
  /** Seconds. */
  readonly accessTokenTtl: number;
  /** Seconds without use; a year in all. */
  readonly refreshTokenTtl: number;
  /** Seconds for which verifiers may keep what `/jwks` answers. A new key signs after twice that time. */
  readonly jwksMaxAge: number;
  /** Calls addresses that clients have registered; it must not reach into our own network (A37). */
  readonly fetch: OutboundFetch;
  /** How often one address, and one client, may come to `/authorize`, `/par` and `/token`. */
  readonly requestLimits: RequestLimits;
  /** Days for which decisions are kept for the operator to read; 90 unless given, 0 keeps none. */
  readonly auditDays?: number;
  /** Who may register clients beside the operator; nobody unless given. */
  readonly registration?: RegistrationPolicy;
  /** Whether a client id may be the address of a document that describes the client. */
  readonly clientDocuments?: boolean;
  /** Whether DPoP proofs must have a nonce of ours (RFC 9449 section 8); not unless given. */
  readonly dpopNonces?: boolean;
  /** Whether clients come with certificates (RFC 8705), and how one is read; they do not unless given. */
  readonly certificates?: CertificateOptions;
  /** Whether authorization requests may be signed by their clients (RFC 9101); not unless given. */
  readonly signedRequests?: boolean;
  /** Whether answers to them are signed for clients that ask for it (JARM); not unless given. */
  readonly signedResponses?: boolean;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now?: () => number;
  /** Whether the start page says that this is a demonstration. */
  readonly demo?: boolean;
  /** Does what holds up everything else for a moment, such as loading the engine. */
  readonly loading?: <T>(work: () => Promise<T>) => Promise<T>;
}

interface CertificateOptions {
  readonly mode: CertificateMode;
  /** The one whose key the client has proved; null without one. */
  readonly read: (request: IncomingMessage) => X509Certificate | null;
}

/** The answer has been read whole, within bounds of its own. */
export type OutboundFetch = (
  url: string,
  request: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
) => Promise<Response>;

export interface AuthorizationServer {
  /** Everything that it answers. To be registered at the root. */
  readonly routes: FastifyPluginAsync;
  /** To be asked before `routes`: a shorter way for most of the traffic. */
  tokenRoute(options: TokenRouteOptions): TokenRoute;
  /** Whether clients talk to it at this path, not people. */
  isClientPath(path: string): boolean;
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
 * @throws AppError INTERNAL when the signing keys were sealed under another secret
 */
export async function openAuthorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { issuer, operator, secret, store, log, now = () => Date.now(), demo = false } = options;
  const { loading = (work) => work() } = options;
  const sealer = openSealer(secret);
  const limit = openRequestLimit(options.requestLimits, now);
  const isClientOrigin = openClientOrigins(store, now);
  const auditDays = options.auditDays ?? 90;
  const audit = openAudit(store.audit, { days: auditDays, now, log });
  const ring = await openKeyRing(store, sealer, now, log);
  let clientChanges = 0;
  const unwatch = store.watch(["client"], () => {
    clientChanges++;
  });
  let opened: { keys: KeySet; protocol: Protocol } | null = null;
  /** Opens when it is first needed, and anew when the keys change: the engine takes them once. */
  async function protocol(): Promise<Protocol> {
    if (opened?.keys === ring.current()) return opened.protocol;
    return loading(loadProtocol);
  }
  async function loadProtocol(): Promise<Protocol> {
    const { openProtocol } = await import("./protocol.ts");
    const keys = ring.current(); // they may have changed meanwhile, or another request was first
    if (opened?.keys !== keys)
      opened = {
        keys,
        protocol: openProtocol({
          ...options,
          sealer,
          audit,
          keys,
          now,
          isClientOrigin,
          clientChanges: () => clientChanges,
          limit,
          areKeysFresh: ring.isFresh,
        }),
      };
    return opened.protocol;
  }
  const mount = mountPath(issuer);
  const setUp = openSetUp({ issuer, baseUrl: options.resource, operator, secret, store, demo, log, audit });
  const sweep = openSweep(store, { now, log, auditDays });
  return {
    routes: authorizationRoutes({
      issuer,
      operator,
      registration: registrationRoutes({
        ...{ issuer, store, policy: options.registration ?? null, log, now, audit },
        certificates: options.certificates?.mode ?? "off",
      }),
      setUp: setUp.routes,
      protocol,
      isClientOrigin,
      limit,
      log,
    }),
    tokenRoute: (about) => openTokenRoute({ issuer, protocol, limit, log }, about),
    isClientPath: (path) => path.startsWith(mount) && isClientPath(path.slice(mount.length)),
    setUpUrl: setUp.url,
    createAccessToken: async (input) => (await protocol()).createAccessToken(input),
    hashToken,
    async close() {
      unwatch();
      await ring.close();
      await sweep.close();
      await audit.close();
    },
  };
}

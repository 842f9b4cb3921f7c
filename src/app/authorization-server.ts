import type { RegistrationPolicy } from "../authorization-server/clients/registration.ts";
import { type AuthorizationServer, openAuthorizationServer } from "../authorization-server/open.ts";
import type { AuthorizationServerOptions } from "../authorization-server/options.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { loadSecret } from "../config/installation-secret.ts";
import type { Store } from "../domain/store/store.ts";
import { type OpenBuckets, ownBuckets } from "../domain/token-bucket.ts";
import { openReadCertificate } from "../http/client-certificate.ts";
import { openClientOrigins } from "../http/client-origins.ts";
import { openGuardedFetch } from "../http/guarded-fetch.ts";
import { openLog } from "../observe/log.ts";

/** The authorization server of these settings; the command line opens one too, without HTTP. */
export function openAuthorizationServerOf(
  config: Config,
  store: Store,
  {
    log = openLog(config.LOG_LEVEL),
    secret = loadSecret(config),
    openBuckets = ownBuckets,
    now,
    isClientOrigin = openClientOrigins(store.clients, now),
    ...options
  }: Partial<Pick<AuthorizationServerOptions, "demo" | "log" | "secret" | "loading" | "isClientOrigin">> & {
    /** Milliseconds of Unix time. */
    now: () => number;
    openBuckets?: OpenBuckets;
  },
): Promise<AuthorizationServer> {
  return openAuthorizationServer({
    ...options,
    log,
    secret,
    now,
    isClientOrigin,
    issuer: config.AUTH_URL,
    resource: config.BASE_URL,
    resources: config.RESOURCES,
    operator: config.OPERATOR_NAME,
    store,
    fetch: openGuardedFetch({ privateHosts: config.PRIVATE_HOSTS }),
    registration: registration(config),
    clientDocuments: config.CLIENT_DOCUMENTS,
    dpopNonces: config.DPOP_NONCES,
    certificates: { mode: config.CLIENT_CERTIFICATES, read: openReadCertificate(config) },
    signedRequests: config.SIGNED_REQUESTS,
    signedResponses: config.SIGNED_RESPONSES,
    requestLimits: {
      address: config.RATE_LIMIT_OAUTH_ADDRESS,
      client: config.RATE_LIMIT_OAUTH_CLIENT,
      openBuckets,
    },
    accessTokenTtl: config.ACCESS_TOKEN_TTL,
    refreshTokenTtl: config.REFRESH_TOKEN_TTL,
    jwksMaxAge: config.JWKS_MAX_AGE,
    auditDays: config.AUDIT_DAYS,
  });
}

function registration({ REGISTRATION: mode, REGISTRATION_TOKEN: token }: Config): RegistrationPolicy {
  if (mode !== "token") return mode === "open" ? { mode } : null;
  if (token === null) throw new ConfigError("REGISTRATION=token needs REGISTRATION_TOKEN.");
  return { mode, token };
}

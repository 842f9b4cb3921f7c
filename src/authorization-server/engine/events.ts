import type { EventEmitter } from "node:events";
import type Provider from "oidc-provider";
import type { errors, KoaContextWithOIDC } from "oidc-provider";
import type { AuditEvent, NewAuditEvent } from "../../domain/audit.ts";
import { CAME_AS } from "../../domain/clients/client-problems.ts";
import { describeFault } from "../../observe/describe-fault.ts";
import type { Log } from "../../observe/log.ts";
import type { EngineRequest } from "../http/engine-request.ts";
import type { Audit } from "./audit.ts";
import { askedFor } from "./protocol-pages.ts";

const FAILED = "the authorization server failed";

/**
 * Writes down what the engine decides: which client, whose account, which error. Nothing that a request brought and
 * nothing that was issued is among it (A42). The audit gets what is decided about people and tokens, noted only: a
 * grant does not wait for a second commit.
 */
export function logEvents(provider: Provider, log: Log, audit: Audit): void {
  const facts = (ctx: KoaContextWithOIDC) => ({
    requestId: (ctx.req as EngineRequest).requestId,
    clientId: ctx.oidc?.client?.clientId,
    userId: ctx.oidc?.account?.accountId ?? ctx.oidc?.session?.accountId ?? ownerOf(ctx),
  });
  const note = (ctx: KoaContextWithOIDC, decision: NewAuditEvent, reason?: string) =>
    audit.note({ ...facts(ctx), address: (ctx.req as EngineRequest).address, ...decision }, reason);
  const refused = (event: string, audited?: AuditEvent["event"]) => {
    return (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
      if (error.error === "unsupported_token_type") return; // a JWT, which is answered for elsewhere
      const asked: { askedRedirectUri?: string } = UNKNOWN.has(error.error) ? describeAsked(ctx) : {};
      log.warn({ event, ...facts(ctx), ...asked, error: error.error, detail: error.error_detail }, "refused");
      if (audited === undefined || INTERMEDIATE.has(error.error)) return;
      const result = error.error === "access_denied" ? "denied" : isReuse(error) ? "reuse" : "refused";
      const why = error.error_detail ?? error.error_description;
      const detail = why === undefined ? error.error : `${error.error}: ${why}`;
      const came = error.error === "invalid_redirect_uri" && asked.askedRedirectUri;
      if (came) note(ctx, { event: audited, result, detail: `${error.error}: ${CAME_AS}${came}` }, detail);
      else note(ctx, { event: audited, result, detail });
    };
  };

  provider.on("authorization.success", (ctx) => {
    endWithSession(ctx);
    log.info({ event: "authorization", ...facts(ctx) }, "authorization code given");
    note(ctx, { event: "authorization", result: "ok" });
  });
  provider.on("grant.success", (ctx) => {
    const grantType = ctx.oidc.params?.grant_type;
    log.info({ event: "token", ...facts(ctx), grantType }, "tokens given");
    note(ctx, { event: "token", result: "ok", detail: String(grantType) });
  });
  provider.on("grant.revoked", (ctx) => {
    log.info({ event: "revocation", ...facts(ctx) }, "grant revoked");
    note(ctx, { event: "revocation", result: "ok" });
  });
  provider.on("end_session.success", (ctx) => {
    log.info({ event: "sign-out", ...facts(ctx) }, "signed out");
    note(ctx, { event: "sign-out", result: "ok" });
  });
  provider.on("authorization.error", refused("authorization", "authorization"));
  provider.on("grant.error", refused("token", "token"));
  provider.on("introspection.error", refused("introspection", "introspection"));
  provider.on("revocation.error", refused("revocation", "revocation"));
  provider.on("userinfo.error", refused("userinfo", "userinfo"));
  provider.on("pushed_authorization_request.error", refused("pushed authorization request", "authorization"));
  provider.on("device_authorization.error", refused("device authorization", "authorization"));
  provider.on("end_session.error", refused("sign-out", "sign-out"));
  provider.on("backchannel.success", (ctx, client) =>
    log.info({ event: "back-channel sign-out", ...facts(ctx), toldClientId: client.clientId }, "client told"),
  );
  provider.on("backchannel.error", (ctx, error, client) =>
    log.warn(
      { event: "back-channel sign-out", ...facts(ctx), toldClientId: client.clientId, error: describeFault(error) },
      "the client could not be told",
    ),
  );
  provider.on("server_error", (ctx, error) =>
    log.error({ event: "server error", ...facts(ctx), error: describeFault(error) }, FAILED),
  );
  // Errors that the engine does not handle, such as a connection that breaks in the middle of an answer.
  const engine: EventEmitter = provider;
  engine.on("error", (error: unknown) => log.error({ event: "server error", error: describeFault(error) }, FAILED));
}

/** Errors whose cause is in what the request says of the client: the operator needs to see that. */
const UNKNOWN: ReadonlySet<string> = new Set(["invalid_client", "invalid_redirect_uri"]);

const MOST_LOGGED = 300;

/** Bounded, and without the values of a query, which may be secrets of the client (A42). */
function describeAsked(ctx: KoaContextWithOIDC) {
  const { clientId, redirectUri } = askedFor(ctx);
  const [address = "", query] = redirectUri.split(/\?(.*)/s);
  const shown = query === undefined ? address : `${address}?${query.replace(/=[^&#]*/g, "=…")}`;
  return {
    askedClientId: clientId.slice(0, MOST_LOGGED).toWellFormed(),
    askedRedirectUri: shown.slice(0, MOST_LOGGED).toWellFormed(),
  };
}

/** Whose token or code a client has sent: the engine says so for most requests, refused ones too. */
function ownerOf({ oidc }: KoaContextWithOIDC): string | undefined {
  const { AuthorizationCode, RefreshToken, AccessToken, DeviceCode } = oidc?.entities ?? {};
  return (AuthorizationCode ?? RefreshToken ?? AccessToken ?? DeviceCode)?.accountId;
}

/** No decision yet: a device asks before its person has answered (RFC 8628 section 3.5), a proof needs another nonce (RFC 9449 section 8). */
const INTERMEDIATE: ReadonlySet<string> = new Set(["authorization_pending", "slow_down", "use_dpop_nonce"]);

function isReuse({ error, error_detail }: errors.OIDCProviderError): boolean {
  return error === "invalid_grant" && /\balready\b/.test(error_detail ?? "");
}

/**
 * Signing out ends what the session gave, unless the client was granted `offline_access`. The engine knows this rule
 * for tokens that also expire with the session only, so its mark is taken off again.
 */
function endWithSession({ oidc }: KoaContextWithOIDC): void {
  const clientId = oidc.client?.clientId;
  // Tokens of a device do not belong to this browser's session.
  if (clientId === undefined || oidc.entities.DeviceCode !== undefined) return;
  if (oidc.authorizationCode?.scopes.has("offline_access")) return;
  const authorization = oidc.session?.authorizationFor(clientId);
  if (authorization !== undefined) delete authorization.persistsLogout;
}

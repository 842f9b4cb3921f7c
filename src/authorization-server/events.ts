import type { EventEmitter } from "node:events";
import type Provider from "oidc-provider";
import type { errors, KoaContextWithOIDC } from "oidc-provider";
import type { Log } from "../observe/log.ts";
import { describeFault } from "./fault.ts";

const FAILED = "the authorization server failed";

/**
 * Writes down what the engine decides: which client, whose account, which error. Nothing that a request brought and
 * nothing that was issued is among it (A42).
 */
export function logEvents(provider: Provider, log: Log, requestId: (ctx: KoaContextWithOIDC) => string): void {
  const facts = (ctx: KoaContextWithOIDC) => ({
    requestId: requestId(ctx),
    clientId: ctx.oidc?.client?.clientId,
    userId: ctx.oidc?.account?.accountId ?? ctx.oidc?.session?.accountId,
  });
  const refused = (event: string) => (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) =>
    log.warn({ event, ...facts(ctx), error: error.error, detail: error.error_detail }, "refused");

  provider.on("authorization.success", (ctx) => {
    endWithSession(ctx);
    log.info({ event: "authorization", ...facts(ctx) }, "authorization code given");
  });
  provider.on("grant.success", (ctx) =>
    log.info({ event: "token", ...facts(ctx), grantType: ctx.oidc.params?.grant_type }, "tokens given"),
  );
  provider.on("grant.revoked", (ctx) => log.info({ event: "revocation", ...facts(ctx) }, "grant revoked"));
  provider.on("end_session.success", (ctx) => log.info({ event: "sign-out", ...facts(ctx) }, "signed out"));
  provider.on("authorization.error", refused("authorization"));
  provider.on("grant.error", refused("token"));
  provider.on("introspection.error", refused("introspection"));
  provider.on("revocation.error", refused("revocation"));
  provider.on("userinfo.error", refused("userinfo"));
  provider.on("pushed_authorization_request.error", refused("pushed authorization request"));
  provider.on("device_authorization.error", refused("device authorization"));
  provider.on("end_session.error", refused("sign-out"));
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
  // What happens outside of the engine's own care, such as a connection that breaks in the middle of an answer.
  const engine: EventEmitter = provider;
  engine.on("error", (error: unknown) => log.error({ event: "server error", error: describeFault(error) }, FAILED));
}

/**
 * Signing out ends what the session gave, unless the client was granted `offline_access`. The engine knows this rule
 * for tokens that also expire with the session only, so its mark is taken off again.
 */
function endWithSession({ oidc }: KoaContextWithOIDC): void {
  const clientId = oidc.client?.clientId;
  // What a device was given is not of this browser.
  if (clientId === undefined || oidc.entities.DeviceCode !== undefined) return;
  if (oidc.authorizationCode?.scopes.has("offline_access")) return;
  const authorization = oidc.session?.authorizationFor(clientId);
  if (authorization !== undefined) delete authorization.persistsLogout;
}

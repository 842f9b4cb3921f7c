import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import { PERSONAL_SCOPES } from "../../domain/scopes.ts";
import { allowedScopes, registeredScopes } from "../clients/engine-client.ts";
import { tooManyRequests } from "../engine/engine-errors.ts";
import type { RequestLimit } from "../http/request-limit.ts";
import type { Resources } from "../tokens/resources.ts";

/** Parameter with the scopes that the client cannot have, for the consent page. Internal: see `limitScope`. */
export const UNAVAILABLE_SCOPE = "unavailable_scope";

/** Checks and changes of authorization requests that the engine has no place for. It runs each for every request. */
export function authorizationChecks(
  resources: Resources,
  limit: RequestLimit,
  { SIGNED_REQUESTS: takesSignedRequests }: { readonly SIGNED_REQUESTS: boolean },
) {
  return {
    resource(ctx: KoaContextWithOIDC) {
      const { oidc } = ctx;
      assertStorable(oidc.params ?? {});
      if (oidc.route === "pushed_authorization_request" || oidc.route === "device_authorization")
        assertWithinLimit(oidc.client, limit);
      resources.normalize(ctx);
      if (oidc.client?.must_sign === true && !takesSignedRequests)
        throw new errors.InvalidRequest(
          "the requests of this client must be signed, and signed ones are not taken here",
        );
    },
    [UNAVAILABLE_SCOPE]: limitScope,
  };
}

/** Characters of one parameter, and of all together. Requests are stored before anybody has signed in (A46). */
const MAX_PARAMETER = 4_096;
const MAX_PARAMETERS = 20_480;

/** @throws InvalidRequest for parameters that are too long to be stored; a signed request may take all of the length */
function assertStorable(params: Readonly<Record<string, unknown>>): void {
  let sum = 0;
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    const { length } = typeof value === "string" ? value : JSON.stringify(value);
    if (length > MAX_PARAMETER && name !== "request")
      throw new errors.InvalidRequest(`${name} must have at most ${MAX_PARAMETER} characters`);
    sum += length;
  }
  if (sum > MAX_PARAMETERS)
    throw new errors.InvalidRequest(`the parameters must have at most ${MAX_PARAMETERS} characters together`);
}

/**
 * Counts a request of a client that has proved who it is; anyone can send the id of a public one.
 *
 * @throws TemporarilyUnavailable with status 429
 */
export function assertWithinLimit(client: Client | undefined, limit: RequestLimit): void {
  if (client === undefined || client.clientAuthMethod === "none") return;
  const wait = limit.ofClient(client.clientId);
  if (wait !== 0) throw tooManyRequests("too many requests of this client", wait);
}

/** Takes away the scopes that the client is not registered for; the token answer and the consent page say so (A15). */
function limitScope(ctx: KoaContextWithOIDC, previous: unknown, client: Client): void {
  const { oidc } = ctx;
  const params = oidc.params ?? {};
  const requested = [...oidc.requestParamScopes].filter((scope) => scope !== "");
  const allowed = new Set(allowedScopes(client));
  const kept = requested.filter((scope) => allowed.has(scope));
  if (kept.length === 0) {
    throw new errors.InvalidScope(
      requested.length === 0 ? "no known scope was requested" : "the client is not registered for the requested scope",
      requested.join(" "),
    );
  }
  params.scope = kept.join(" ");
  // A pushed request comes by twice; the first time it was whole.
  const pushed = oidc.entities.PushedAuthorizationRequest === undefined ? undefined : previous;
  params[UNAVAILABLE_SCOPE] = pushed ?? [...askedFor(ctx)].filter((scope) => !allowed.has(scope)).join(" ");
}

/** As the client wrote it: the engine has taken away by now what is no scope of ours. */
function askedFor({ method, query, oidc }: KoaContextWithOIDC): Set<string> {
  const { scope, request } = (method === "POST" ? oidc.body : query) ?? {};
  // Parameters outside a signed request do not count (RFC 9101 section 6.3).
  const written = typeof scope === "string" && request === undefined ? scope.split(" ") : [];
  return new Set([...oidc.requestParamScopes, ...written].filter((name) => name !== ""));
}

/**
 * Scopes of a client that acts for itself (RFC 6749 section 4.4): those it asks for, or all that it is registered for.
 *
 * @throws InvalidScope for a scope that it cannot have, and if none is left
 */
export function limitOwnScope({ oidc }: KoaContextWithOIDC): void {
  const own = (scopes: readonly string[]) => scopes.filter((scope) => !PERSONAL_SCOPES.has(scope));
  const allowed = own(allowedScopes(oidc.client as Client));
  const requested = [...oidc.requestParamScopes].filter((scope) => scope !== "");
  const excess = requested.filter((scope) => !allowed.includes(scope));
  if (excess.length > 0)
    throw new errors.InvalidScope("the client cannot have this scope for itself", excess.join(" "));
  if (allowed.length === 0) throw new errors.InvalidScope("the client has no scope that it can use for itself", "");
  if (requested.length === 0)
    Object.assign(oidc.params ?? {}, { scope: own(registeredScopes(oidc.client as Client)).join(" ") });
}

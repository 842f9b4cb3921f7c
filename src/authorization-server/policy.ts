import Provider, {
  type Client,
  errors,
  type Grant,
  interactionPolicy,
  type KoaContextWithOIDC,
  type RefreshToken,
} from "oidc-provider";
import type { Store } from "../domain/store.ts";
import { isScopeOfRole, type Scope } from "../domain/viewer.ts";
import { findActiveUser } from "./accounts.ts";
import { carrierOf } from "./claims-parameter.ts";
import { allowedScopes, isFirstParty } from "./clients.ts";
import type { ConsentMemory } from "./consent.ts";
import { DEVICE_CODE_TTL } from "./device-flow.ts";
import { toEngineError } from "./errors.ts";
import type { RequestLimit } from "./request-limit.ts";
import type { Resources } from "./resources.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Seconds for which a browser stays signed in after its last request. */
export const SESSION_SECONDS = 14 * DAY;

/** Seconds that each artifact lives. */
export function lifetimes(options: { accessTokenTtl: number; refreshTokenTtl: number }) {
  // A JWT lasts whatever happens here, and never longer than the key that signed it is published.
  const accessTokenTtl = (_ctx: unknown, { resourceServer }: { readonly resourceServer?: unknown }) =>
    resourceServer === undefined ? options.accessTokenTtl : Math.min(options.accessTokenTtl, DAY);
  return {
    AccessToken: accessTokenTtl,
    ClientCredentials: accessTokenTtl,
    AuthorizationCode: 60,
    DeviceCode: DEVICE_CODE_TTL,
    IdToken: HOUR,
    Interaction: HOUR,
    Session: SESSION_SECONDS,
    // The engine ends every refresh token with its grant, so a grant outlives the longest family.
    Grant: YEAR + DAY,
    // Idle time, within a year from the first of the family.
    RefreshToken: (_ctx: KoaContextWithOIDC, token: RefreshToken) =>
      Math.max(1, Math.min(options.refreshTokenTtl, YEAR - token.totalLifetime())),
  };
}

/**
 * When to ask the person. As the engine has it, but for four things: who was disabled while signed in must sign in
 * again; native clients are not asked about anew each time, since what was agreed to is remembered for every client; what
 * is wanted for an API elsewhere need not be agreed to for ours; and `prompt=select_account` is known (OpenID Connect Core
 * section 3.1.2.1).
 */
export function openInteractionPolicy(resources: Resources) {
  const { Check, Prompt, base } = interactionPolicy;
  const policy = base();
  policy
    .get("login")
    ?.checks.add(
      new Check(
        "account_unavailable",
        "the account of this session cannot be used",
        "login_required",
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
      ),
    );
  policy.get("consent")?.checks.remove("native_client_prompt");
  policy.get("consent")?.checks.remove(OWN_SCOPES_MISSING);
  policy.get("consent")?.checks.add(
    new Check(OWN_SCOPES_MISSING, "requested scopes not granted", "consent_required", ({ oidc }) => {
      const decided = new Set((oidc.entities.Grant as Grant).getOIDCScopeEncountered().split(" "));
      const here = resources.scopesHere(oidc.requestParamOIDCScopes, resources.targetsOf(oidc.params?.resource));
      return here.some((scope) => !decided.has(scope));
    }),
  );
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  return policy;
}

/** The engine's name for that reason. */
const OWN_SCOPES_MISSING = "op_scopes_missing";

/** The parameter in which the consent page finds what the client asked for in vain. Ours alone: see `limitScope`. */
export const UNAVAILABLE_SCOPE = "unavailable_scope";

/** Checks and changes of authorization requests that the engine has no place for. It runs each for every request. */
export function authorizationChecks(
  resources: Resources,
  { limit, takesSignedRequests }: { limit: RequestLimit; takesSignedRequests: boolean },
) {
  return {
    resource(ctx: KoaContextWithOIDC) {
      const { oidc } = ctx;
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

/**
 * Counts a request of a client that has proved who it is; anyone can send the id of a public one.
 *
 * @throws TemporarilyUnavailable with status 429
 */
export function assertWithinLimit(client: Client | undefined, limit: RequestLimit): void {
  if (client === undefined || client.clientAuthMethod === "none") return;
  const wait = limit.ofClient(client.clientId);
  if (wait === 0) return;
  Provider.ctx?.set("retry-after", String(wait));
  const tooMany = new errors.TemporarilyUnavailable(`too many requests of this client, try again in ${wait} s`);
  tooMany.status = tooMany.statusCode = 429;
  throw tooMany;
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
  // What stands outside of a signed request does not count (RFC 9101 section 6.3).
  const written = typeof scope === "string" && request === undefined ? scope.split(" ") : [];
  return new Set([...oidc.requestParamScopes, ...written].filter((name) => name !== ""));
}

/** What only a person can have: without one, there is nobody whom it could be about. */
const PERSONS_SCOPES: ReadonlySet<string> = new Set<Scope>(["openid", "profile", "email", "offline_access", "admin"]);

/**
 * What a client gets for itself (RFC 6749 section 4.4): what it asks for, or everything that it is registered for.
 *
 * @throws InvalidScope for what it cannot have, and where nothing is left
 */
export function limitOwnScope({ oidc }: KoaContextWithOIDC): void {
  const allowed = allowedScopes(oidc.client as Client).filter((scope) => !PERSONS_SCOPES.has(scope));
  const requested = [...oidc.requestParamScopes].filter((scope) => scope !== "");
  const excess = requested.filter((scope) => !allowed.includes(scope));
  if (excess.length > 0)
    throw new errors.InvalidScope("the client cannot have this scope for itself", excess.join(" "));
  if (allowed.length === 0) throw new errors.InvalidScope("the client has no scope that it can use for itself", "");
  if (requested.length === 0) Object.assign(oidc.params ?? {}, { scope: allowed.join(" ") });
}

/**
 * Claims that were asked for by their names: those whose scope the person has agreed to, and those whose scope the
 * client is not registered for. The others are to be asked about. @param agreed null for everything
 */
function judgeClaims(requested: Iterable<string>, allowed: readonly string[], agreed: ReadonlySet<string> | null) {
  const granted: string[] = [];
  const refused: string[] = [];
  for (const claim of requested) {
    const scope = carrierOf(claim);
    if (scope === undefined) continue;
    if (!allowed.includes(scope)) refused.push(claim);
    else if (agreed === null || agreed.has(scope)) granted.push(claim);
  }
  return { granted, refused };
}

/**
 * The grant that an authorization request starts with: what this session has already given the client, with what the
 * person has agreed to elsewhere or before, but never more than is asked for now (A15).
 */
export function openLoadGrant(store: Store, consents: ConsentMemory, resources: Resources) {
  return async function loadGrant(ctx: KoaContextWithOIDC) {
    try {
      return await load(ctx);
    } catch (error) {
      throw toEngineError(error);
    }
  };

  async function load({ oidc }: KoaContextWithOIDC) {
    const { client, account, session, provider } = oidc;
    const user = account === undefined ? null : await findActiveUser(store, account.accountId);
    if (client === undefined || user === null) return undefined;

    const targets = resources.targetsOf(oidc.params?.resource);
    const requested = resources.scopesHere(oidc.requestParamOIDCScopes, targets);
    const findAgreed = (elsewhere?: string) =>
      isFirstParty(client) ? oidc.requestParamOIDCScopes : consents.find(user.id, client.clientId, elsewhere);
    const agreed = await findAgreed();
    const granted = requested.filter((scope) => agreed.has(scope) && isScopeOfRole(scope, user.role));
    const refused = requested.filter((scope) => !isScopeOfRole(scope, user.role));
    const given = new Map<string, string[]>();
    for (const identifier of targets.elsewhere) {
      const agreedThere = await findAgreed(identifier);
      const scopes = resources.scopesElsewhere(oidc.requestParamOIDCScopes).filter((scope) => agreedThere.has(scope));
      if (scopes.length > 0) given.set(identifier, scopes);
    }
    const claims = judgeClaims(oidc.requestParamClaims, allowedScopes(client), isFirstParty(client) ? null : agreed);

    const grantId = session?.grantIdFor(client.clientId);
    const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const mine = existing?.accountId === user.id && existing.clientId === client.clientId ? existing : undefined;
    const news = [granted, refused, [...given], claims.granted, claims.refused];
    if (mine === undefined && news.every((list) => list.length === 0)) return undefined;

    const grant = mine ?? new provider.Grant({ accountId: user.id, clientId: client.clientId });
    const contents = () => JSON.stringify([grant.openid, grant.rejected, grant.resources]);
    const before = contents();
    // What was refused for a role may be given after a promotion.
    delete grant.rejected;
    if (granted.length > 0) grant.addOIDCScope(granted);
    if (refused.length > 0) grant.rejectOIDCScope(refused);
    for (const [identifier, scopes] of given) grant.addResourceScope(identifier, scopes.join(" "));
    if (claims.granted.length > 0) grant.addOIDCClaims(claims.granted);
    if (claims.refused.length > 0) grant.rejectOIDCClaims(claims.refused);
    const now = Math.floor(Date.now() / 1000);
    if ((grant.exp ?? 0) < now + YEAR || before !== contents()) {
      // Lives on from now, so that the refresh tokens to come have their year.
      grant.exp = now + YEAR + DAY;
      await grant.save();
    }
    return grant;
  }
}

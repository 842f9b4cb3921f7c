import type { Client, KoaContextWithOIDC } from "oidc-provider";
import { LEVEL_SCOPES } from "../../domain/agent-level.ts";
import type { Client as StoredClient } from "../../domain/clients/client.ts";
import { findActiveUser } from "../../domain/people/user.ts";
import { isScopeOfRole } from "../../domain/scopes.ts";
import type { Store } from "../../domain/store/store.ts";
import { allowedScopes, isFirstParty } from "../clients/engine-client.ts";
import { engineSeconds } from "../engine/clocks.ts";
import { toEngineError } from "../engine/engine-errors.ts";
import { carrierOf } from "../tokens/claims-parameter.ts";
import type { Resources } from "../tokens/resources.ts";
import { type AgentSettings, isAgentRequest } from "./agent-request.ts";
import type { ConsentMemory } from "./consent-memory.ts";
import { DAY, YEAR } from "./lifetimes.ts";

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
export function openLoadGrant(store: Store, consents: ConsentMemory, resources: Resources, settings: AgentSettings) {
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
    const isUnasked = await isUnaskedAgent(client, user.id, targets, requested);
    const agreed = withoutLevels(await findAgreed(), isUnasked);
    const granted = requested.filter((scope) => agreed.has(scope) && isScopeOfRole(scope, user.role));
    const refused = requested.filter((scope) => !isScopeOfRole(scope, user.role));
    const given = new Map<string, string[]>();
    for (const identifier of targets.elsewhere) {
      const agreedThere = await findAgreed(identifier);
      const usable = resources.scopesElsewhere(oidc.requestParamOIDCScopes, identifier);
      const scopes = usable.filter((scope) => agreedThere.has(scope));
      if (scopes.length > 0) given.set(identifier, scopes);
    }
    const claims = judgeClaims(oidc.requestParamClaims, allowedScopes(client), isFirstParty(client) ? null : agreed);

    const grantId = session?.grantIdFor(client.clientId);
    const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const isMine = existing?.accountId === user.id && existing.clientId === client.clientId;
    const mine = isMine && !isUnasked ? existing : undefined;
    const news = [granted, refused, [...given], claims.granted, claims.refused];
    if (mine === undefined && news.every((list) => list.length === 0)) return undefined;

    const grant = mine ?? new provider.Grant({ accountId: user.id, clientId: client.clientId });
    const contents = () => JSON.stringify([grant.openid, grant.rejected, grant.resources]);
    const before = contents();
    // A scope that was denied for a role may be granted after a promotion.
    delete grant.rejected;
    if (granted.length > 0) grant.addOIDCScope(granted);
    if (refused.length > 0) grant.rejectOIDCScope(refused);
    for (const [identifier, scopes] of given) grant.addResourceScope(identifier, scopes.join(" "));
    if (claims.granted.length > 0) grant.addOIDCClaims(claims.granted);
    if (claims.refused.length > 0) grant.rejectOIDCClaims(claims.refused);
    const now = Math.floor(engineSeconds());
    if ((grant.exp ?? 0) < now + YEAR || before !== contents()) {
      // Lives on from now, so that the refresh tokens to come have their year.
      grant.exp = now + YEAR + DAY;
      await grant.save();
    }
    return grant;
  }

  /**
   * Whether the client is an agent that names no door, and the person has not chosen yet how far it may go. What they agreed to for
   * `/graphql` is no answer to that: the page for it does not say what an agent is.
   */
  async function isUnaskedAgent(
    client: Client,
    userId: string,
    targets: ReturnType<Resources["targetsOf"]>,
    requested: readonly string[],
  ): Promise<boolean> {
    const { clientId, origin, redirectUris = [] } = client as Client & Pick<StoredClient, "origin">;
    if (isFirstParty(client) || targets.doors.length > 0) return false;
    if (!requested.some((scope) => LEVEL_SCOPES.has(scope))) return false;
    return (
      isAgentRequest(targets, { origin, redirectUris }, settings) &&
      (await consents.findLevel(userId, clientId)) === null
    );
  }
}

function withoutLevels(agreed: ReadonlySet<string>, isUnasked: boolean): ReadonlySet<string> {
  return isUnasked ? new Set([...agreed].filter((scope) => !LEVEL_SCOPES.has(scope))) : agreed;
}

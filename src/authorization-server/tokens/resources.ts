import { errors, type KoaContextWithOIDC, type ResourceServer } from "oidc-provider";
import type { SigningAlgorithm } from "../../domain/clients/client.ts";
import { IDENTITY_SCOPES, SCOPES_ELSEWHERE } from "../../domain/scopes.ts";

/** An API elsewhere that takes our access tokens, as JWTs (RFC 9068). */
export interface Resource {
  /** An absolute URI without fragment (RFC 8707 section 2), compared character by character. */
  readonly identifier: string;
  /** The algorithm that signs its tokens. */
  readonly algorithm: SigningAlgorithm;
}

interface Targets {
  /** Whether our own API is among them, as it is when none is named. */
  readonly here: boolean;
  readonly elsewhere: readonly string[];
}

/** APIs for which tokens are made (RFC 8707). Tokens for our own API are opaque and valid at userinfo as well. */
export interface Resources {
  readonly identifiers: readonly string[];
  /** Reads a `resource` parameter that was checked. */
  targetsOf(asked: unknown): Targets;
  /** The requested scopes that apply here: all, or without our API among the targets those about the person. */
  scopesHere(requested: Iterable<string>, targets: Targets): string[];
  /** Those that are for an API elsewhere. */
  scopesElsewhere(requested: Iterable<string>): string[];
  /** Our API named alone is as if none were named, and beside others it has its one identifier. For authorization requests, once the engine has checked them. */
  normalize(ctx: KoaContextWithOIDC): void;
  /** @throws InvalidTarget for what a token request must not ask for; see `feature` for what was never granted */
  choose(ctx: KoaContextWithOIDC): void;
  /** For the engine, which asks what it is to make of each identifier. */
  readonly feature: {
    enabled: true;
    getResourceServerInfo(ctx: KoaContextWithOIDC, identifier: string): ResourceServer;
    defaultResource(ctx: KoaContextWithOIDC, client: unknown, oneOf?: readonly string[]): readonly string[] | undefined;
    useGrantedResource(
      ctx: KoaContextWithOIDC,
      model: { readonly resource?: string | readonly string[] | undefined },
    ): boolean;
  };
}

/** @param baseUrl our API stands at `/graphql` below it. Clients may name either, each with or without a slash at its end. */
export function openResources(baseUrl: string, others: readonly Resource[]): Resources {
  const own = `${baseUrl}/graphql`;
  const ownNames: ReadonlySet<unknown> = new Set([own, `${own}/`, baseUrl, `${baseUrl}/`]);
  const algorithms = new Map(others.map(({ identifier, algorithm }) => [identifier, algorithm]));
  const identifiers = [own, ...algorithms.keys()];
  /** Requests to the token endpoint that name our own API. */
  const namesOwn = new WeakSet<object>();

  /** Our API under its one identifier. */
  const listOf = (asked: unknown) => {
    const named = [asked].flat().filter((identifier) => identifier !== undefined && identifier !== "");
    return [...new Set(named.map((identifier) => (ownNames.has(identifier) ? own : identifier)))];
  };

  function assertKnown(identifier: unknown): asserts identifier is string {
    if (!identifiers.includes(identifier as string))
      throw new errors.InvalidTarget(`the resources here are ${identifiers.join(" ")}`);
  }

  return {
    identifiers,
    targetsOf(asked) {
      const elsewhere = listOf(asked).filter((identifier): identifier is string => identifier !== own);
      return { here: elsewhere.length === 0 || listOf(asked).includes(own), elsewhere };
    },
    scopesHere: (requested, { here }) => [...requested].filter((scope) => here || IDENTITY_SCOPES.has(scope)),
    scopesElsewhere: (requested) => [...requested].filter((scope) => SCOPES_ELSEWHERE.has(scope)),
    normalize({ oidc }) {
      if (oidc.params === undefined) return;
      const named = listOf(oidc.params.resource);
      for (const name of ownNames) delete oidc.resourceServers?.[name as string];
      const isOwn = named.every((identifier) => identifier === own);
      oidc.params.resource = isOwn ? undefined : named.length === 1 ? named[0] : named;
      if (isOwn || !named.includes(own) || oidc.resourceServers === undefined) return;
      oidc.resourceServers[own] = new oidc.provider.ResourceServer(own, { scope: "", accessTokenFormat: "opaque" });
    },
    choose(ctx) {
      const params = ctx.oidc.params ?? {};
      const [asked, ...more] = listOf(params.resource);
      if (asked !== undefined) assertKnown(asked);
      if (more.length > 0) throw new errors.InvalidTarget("an access token is for one resource: name one");
      if (asked === own) namesOwn.add(ctx);
      params.resource = asked === own ? undefined : asked;
    },
    feature: {
      enabled: true,
      getResourceServerInfo(_ctx, identifier) {
        if (!ownNames.has(identifier)) assertKnown(identifier);
        // Its scopes are the grant's own, not those of a resource: see `normalize` and `defaultResource`.
        if (ownNames.has(identifier)) return { scope: "", accessTokenFormat: "opaque" };
        const alg = algorithms.get(identifier) ?? "ES256";
        const scope = [...SCOPES_ELSEWHERE].join(" ");
        return { scope, audience: identifier, accessTokenFormat: "jwt", jwt: { sign: { alg } } };
      },
      // No resource is our own API. The engine refuses to choose among several others.
      defaultResource: (_ctx, _client, oneOf) => (oneOf === undefined || oneOf.includes(own) ? undefined : oneOf),
      // Without `resource` in a token request, the granted one applies (RFC 8707 section 2.2).
      useGrantedResource(ctx, { resource }) {
        if (namesOwn.has(ctx) && !listOf(resource).includes(own))
          throw new errors.InvalidTarget(`${own} was not granted`);
        return true;
      },
    },
  };
}

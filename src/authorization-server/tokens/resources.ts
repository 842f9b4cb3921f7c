import { errors, type KoaContextWithOIDC, type ResourceServer } from "oidc-provider";
import type { SigningAlgorithm } from "../../domain/clients/client.ts";
import type { Door } from "../../domain/door.ts";
import { agentScopes, IDENTITY_SCOPES, SCOPES_ELSEWHERE } from "../../domain/scopes.ts";

/** An API elsewhere that takes our access tokens, as JWTs (RFC 9068). */
interface Resource {
  /** An absolute URI without fragment (RFC 8707 section 2), compared character by character. */
  readonly identifier: string;
  /** The algorithm that signs its tokens. */
  readonly algorithm: SigningAlgorithm;
}

/** The settings about APIs for which tokens are made, under their own names: docs/reference/settings.md explains each. */
export interface ResourcesSettings {
  /** Our API stands at `/graphql` below it, and for agents at `/mcp`. Clients may name each of the three, with or without a slash at its end. */
  readonly BASE_URL: string;
  readonly RESOURCES: readonly Resource[];
  readonly MCP: "off" | "read" | "write";
  /** Whether tokens that name no door are for `/mcp` too. */
  readonly MCP_AUDIENCE: "any" | "strict";
}

interface Targets {
  /** Whether our own API is among them, as it is without `resource`. `/mcp` alone does not count as it. */
  readonly here: boolean;
  /** Identifiers of the others, which have consents of their own. `/mcp` is one of them. */
  readonly elsewhere: readonly string[];
  /** Our own doors, as far as they are named. */
  readonly doors: readonly Door[];
}

/** The engine's code, device code or refresh token, for which access tokens are given. */
interface Source {
  resource?: string | readonly string[] | undefined;
}

/** APIs for which tokens are made (RFC 8707). Tokens for our own are opaque, and valid at userinfo unless they are for `/mcp`. */
export interface Resources {
  readonly identifiers: readonly string[];
  /** Reads a `resource` parameter that was checked. */
  targetsOf(asked: unknown): Targets;
  /** The requested scopes that apply here: all, or without our API among the targets those about the person. */
  scopesHere(requested: Iterable<string>, targets: Targets): string[];
  /** Those that apply at one of `Targets.elsewhere`. */
  scopesElsewhere(requested: Iterable<string>, identifier: string): string[];
  /** The door that an access token for the identifier is for; null for any other identifier, and without one. */
  doorOf(identifier: unknown): Door | null;
  /**
   * Has every name of ours be one of the three identifiers. The public address named alone is as if none were named. For
   * authorization requests, once the engine has checked them.
   */
  normalize(ctx: KoaContextWithOIDC): void;
  /** @throws InvalidTarget for what a token request must not ask for; see `chosenFor` for what was never granted */
  choose(ctx: KoaContextWithOIDC): void;
  /**
   * The identifier that a token of our own is for; undefined for one that names no door.
   *
   * @param source null for a client that acts for itself
   * @throws InvalidTarget for what was not granted
   */
  audienceFor(ctx: KoaContextWithOIDC, source: Source | null): string | undefined;
  /** For the engine, which asks what it is to make of each identifier. */
  readonly feature: {
    enabled: true;
    getResourceServerInfo(ctx: KoaContextWithOIDC, identifier: string): ResourceServer;
    defaultResource(
      ctx: KoaContextWithOIDC,
      client: unknown,
      oneOf?: readonly string[],
    ): string | readonly string[] | undefined;
    useGrantedResource(ctx: KoaContextWithOIDC, model: Source): boolean;
  };
}

export function openResources({ BASE_URL: base, RESOURCES: others, MCP, MCP_AUDIENCE }: ResourcesSettings): Resources {
  const graphql = `${base}/graphql`;
  const mcp = `${base}/mcp`;
  const doors = new Map<string, Door>([[graphql, "graphql"], ...(MCP === "off" ? [] : [[mcp, "mcp"] as const])]);
  /** In the order in which they are preferred where a token request names none. */
  const ours = [base, ...doors.keys()];
  const ownNames = new Map<unknown, string>(ours.flatMap((name) => [name, `${name}/`].map((form) => [form, name])));
  const algorithms = new Map(others.map(({ identifier, algorithm }) => [identifier, algorithm]));
  const identifiers = [...doors.keys(), ...algorithms.keys()];
  const scopesOfAgents = agentScopes(MCP);
  /** Identifiers that requests to the token endpoint name. */
  const asked = new WeakMap<object, string>();

  /** Each once, ours without the slash. */
  const listOf = (resource: unknown) => {
    const named = [resource].flat().filter((identifier) => identifier !== undefined && identifier !== "");
    return [...new Set(named.map((identifier) => ownNames.get(identifier) ?? identifier))] as string[];
  };

  function assertKnown(identifier: string): void {
    if (identifier !== base && !identifiers.includes(identifier))
      throw new errors.InvalidTarget(`the resources here are ${identifiers.join(" ")}`);
  }

  function infoOf(identifier: string): ResourceServer {
    if (identifier === mcp && doors.has(mcp))
      return { scope: scopesOfAgents.join(" "), audience: mcp, accessTokenFormat: "opaque" };
    // Its scopes are the grant's own, not those of a resource: see `normalize` and `defaultResource`.
    if (ours.includes(identifier)) return { scope: "", accessTokenFormat: "opaque" };
    const alg = algorithms.get(identifier) ?? "ES256";
    const scope = [...SCOPES_ELSEWHERE].join(" ");
    return { scope, audience: identifier, accessTokenFormat: "jwt", jwt: { sign: { alg } } };
  }

  /**
   * The identifier, of those granted, that a token request is about; undefined where it must choose and did not. The
   * engine judges requests that name an API elsewhere.
   */
  function chosenFor(ctx: KoaContextWithOIDC, resource: unknown): string | undefined {
    const granted = listOf(resource);
    if (granted.length === 0) granted.push(base);
    const named = asked.get(ctx);
    const preferred = ours.find((identifier) => granted.includes(identifier));
    if (named === undefined) return preferred ?? (granted.length === 1 ? granted[0] : undefined);
    // The public address stands for whichever of ours was granted.
    if (named === base && preferred !== undefined) return preferred;
    const isWithinBase = named !== mcp || MCP_AUDIENCE === "any";
    if (granted.includes(named) || (granted.includes(base) && isWithinBase)) return named;
    throw new errors.InvalidTarget(`${named} was not granted`);
  }

  return {
    identifiers,
    targetsOf(resource) {
      const named = listOf(resource);
      const elsewhere = named.filter((identifier) => identifier !== base && identifier !== graphql);
      const here = elsewhere.length < named.length || named.length === 0;
      return { here, elsewhere, doors: named.flatMap((identifier) => doors.get(identifier) ?? []) };
    },
    scopesHere: (requested, { here }) => [...requested].filter((scope) => here || IDENTITY_SCOPES.has(scope)),
    scopesElsewhere(requested, identifier) {
      const usable: ReadonlySet<string> = identifier === mcp ? new Set(scopesOfAgents) : SCOPES_ELSEWHERE;
      return [...requested].filter((scope) => usable.has(scope));
    },
    doorOf: (identifier) => doors.get(identifier as string) ?? null,
    normalize({ oidc }) {
      if (oidc.params === undefined) return;
      const named = listOf(oidc.params.resource);
      for (const name of ownNames.keys()) delete oidc.resourceServers?.[name as string];
      const isBase = named.every((identifier) => identifier === base);
      oidc.params.resource = isBase ? undefined : named.length === 1 ? named[0] : named;
      if (isBase || oidc.resourceServers === undefined) return;
      for (const identifier of named.filter((name) => ours.includes(name)))
        oidc.resourceServers[identifier] = new oidc.provider.ResourceServer(identifier, infoOf(identifier));
    },
    choose(ctx) {
      const params = ctx.oidc.params ?? {};
      const [named, ...more] = listOf(params.resource);
      if (named !== undefined) assertKnown(named);
      if (more.length > 0) throw new errors.InvalidTarget("an access token is for one resource: name one");
      if (named !== undefined) asked.set(ctx, named);
      params.resource = named !== undefined && ours.includes(named) ? undefined : named;
    },
    audienceFor(ctx, source) {
      const chosen = chosenFor(ctx, source?.resource);
      return chosen !== undefined && doors.has(chosen) ? chosen : undefined;
    },
    feature: {
      enabled: true,
      getResourceServerInfo(_ctx, identifier) {
        const name = ownNames.get(identifier) ?? identifier;
        assertKnown(name);
        return infoOf(name);
      },
      defaultResource(ctx, _client, oneOf) {
        // Clients that act for themselves have no grant to choose from.
        if (oneOf === undefined) return asked.get(ctx) === mcp ? mcp : undefined;
        const chosen = chosenFor(ctx, oneOf);
        if (chosen === mcp) return oneOf.includes(mcp) ? mcp : undefined;
        // The others of ours are no resource for the engine. It refuses to choose among several APIs elsewhere.
        return chosen === undefined ? oneOf : ours.includes(chosen) ? undefined : chosen;
      },
      // Without `resource` in a token request, the granted one applies (RFC 8707 section 2.2). The engine asks `defaultResource` about lists only.
      useGrantedResource(_ctx, model) {
        model.resource = listOf(model.resource);
        return true;
      },
    },
  };
}

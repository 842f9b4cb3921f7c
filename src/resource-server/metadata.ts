import type { FastifyPluginAsync } from "fastify";
import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import type { Door } from "../domain/door.ts";
import { agentScopes, SCOPES } from "../domain/scopes.ts";

/** The settings that the metadata show, under their own names: docs/reference/settings.md explains each. */
export interface ResourceSettings {
  readonly BASE_URL: string;
  readonly AUTH_URL: string;
  readonly OPERATOR_NAME: string;
  readonly TRUSTED_ISSUER: string | null;
  readonly CLIENT_CERTIFICATES: "off" | "any" | "verified";
  readonly MCP: "off" | "read" | "write";
  readonly MCP_SCOPES: readonly string[];
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** URL of the metadata of a door: the well-known part goes between host and path (RFC 9728 section 3.1). */
export function resourceMetadataUrl(baseUrl: string, door: Door): string {
  const { origin, pathname } = new URL(`${baseUrl}/${door}`);
  return origin + WELL_KNOWN + pathname;
}

/** The scopes that agents are told to ask for at /mcp: few, since clients ask for all that they see. */
export function scopesToAskFor({ MCP, MCP_SCOPES }: Pick<ResourceSettings, "MCP" | "MCP_SCOPES">): readonly string[] {
  const usable: readonly string[] = agentScopes(MCP);
  return MCP_SCOPES.filter((scope) => usable.includes(scope));
}

/**
 * Protected resource metadata (RFC 9728 section 2).
 *
 * @param resource as the client wrote it: section 3.3 has it compare the two
 */
function resourceMetadata(settings: ResourceSettings, resource: string, scopes: readonly string[]): object {
  const { AUTH_URL, OPERATOR_NAME, TRUSTED_ISSUER, CLIENT_CERTIFICATES } = settings;
  return {
    resource,
    authorization_servers: TRUSTED_ISSUER === null ? [AUTH_URL] : [AUTH_URL, TRUSTED_ISSUER],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    ...(CLIENT_CERTIFICATES === "off" ? {} : { tls_client_certificate_bound_access_tokens: true }),
    resource_name: OPERATOR_NAME,
  };
}

/**
 * Serves the metadata at the paths that RFC 9728 section 3.1 derives from the identifiers that a client may have: the public
 * address and that of each door, all with and without a slash at the end. Simple clients ask at the bare path.
 */
export function metadataRoutes(settings: ResourceSettings): FastifyPluginAsync {
  const { BASE_URL, MCP } = settings;
  const base = WELL_KNOWN + new URL(BASE_URL).pathname.replace(/\/$/, "");
  const places = ["", "/graphql", ...(MCP === "off" ? [] : ["/mcp"])];
  const forms = places.flatMap((place) => [place, `${place}/`]);
  const resources = new Map([[WELL_KNOWN, ""], ...forms.map((form) => [base + form, form] as const)]);
  return async (server) => {
    for (const [path, form] of resources) {
      const scopes = form.startsWith("/mcp") ? scopesToAskFor(settings) : SCOPES;
      const metadata = resourceMetadata(settings, BASE_URL + form, scopes);
      server.get(path, async (_request, reply) => reply.header("cache-control", "public, max-age=300").send(metadata));
    }
  };
}

import type { FastifyPluginAsync } from "fastify";
import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import { SCOPES } from "../domain/scopes.ts";

/** The settings that the metadata show, under their own names: docs/configuration.md explains each. */
export interface ResourceSettings {
  readonly BASE_URL: string;
  readonly AUTH_URL: string;
  readonly OPERATOR_NAME: string;
  readonly TRUSTED_ISSUER: string | null;
  readonly CLIENT_CERTIFICATES: "off" | "any" | "verified";
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** URL of the metadata of the GraphQL endpoint: the well-known part goes between host and path (RFC 9728 section 3.1). */
export function resourceMetadataUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(`${baseUrl}/graphql`);
  return origin + WELL_KNOWN + pathname;
}

/**
 * Protected resource metadata (RFC 9728 section 2).
 *
 * @param resource as the client wrote it: section 3.3 has it compare the two
 */
function resourceMetadata(settings: ResourceSettings, resource: string): object {
  const { AUTH_URL, OPERATOR_NAME, TRUSTED_ISSUER, CLIENT_CERTIFICATES } = settings;
  return {
    resource,
    authorization_servers: TRUSTED_ISSUER === null ? [AUTH_URL] : [AUTH_URL, TRUSTED_ISSUER],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    ...(CLIENT_CERTIFICATES === "off" ? {} : { tls_client_certificate_bound_access_tokens: true }),
    resource_name: OPERATOR_NAME,
  };
}

/**
 * Serves the metadata at the paths that RFC 9728 section 3.1 derives from the identifiers that a client may have: the public
 * address and that of the GraphQL endpoint, each with and without a slash at its end. Simple clients ask at the bare path.
 */
export function metadataRoutes(settings: ResourceSettings): FastifyPluginAsync {
  const { BASE_URL } = settings;
  const base = WELL_KNOWN + new URL(BASE_URL).pathname.replace(/\/$/, "");
  const resources = new Map([
    [WELL_KNOWN, BASE_URL],
    [base, BASE_URL],
    [`${base}/`, `${BASE_URL}/`],
    [`${base}/graphql`, `${BASE_URL}/graphql`],
    [`${base}/graphql/`, `${BASE_URL}/graphql/`],
  ]);
  return async (server) => {
    for (const [path, resource] of resources) {
      const metadata = resourceMetadata(settings, resource);
      server.get(path, async (_request, reply) => reply.header("cache-control", "public, max-age=300").send(metadata));
    }
  };
}

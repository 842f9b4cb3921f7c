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

/** The resource identifier of the GraphQL endpoint (RFC 8707 section 2). */
function resourceIdentifier(baseUrl: string): string {
  return `${baseUrl}/graphql`;
}

/** URL of its metadata: the well-known part goes between host and path (RFC 9728 section 3.1). */
export function resourceMetadataUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(resourceIdentifier(baseUrl));
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}

/** Protected resource metadata (RFC 9728 section 2). */
function resourceMetadata(settings: ResourceSettings): object {
  const { BASE_URL, AUTH_URL, OPERATOR_NAME, TRUSTED_ISSUER, CLIENT_CERTIFICATES } = settings;
  return {
    resource: resourceIdentifier(BASE_URL),
    authorization_servers: TRUSTED_ISSUER === null ? [AUTH_URL] : [AUTH_URL, TRUSTED_ISSUER],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    ...(CLIENT_CERTIFICATES === "off" ? {} : { tls_client_certificate_bound_access_tokens: true }),
    resource_name: OPERATOR_NAME,
  };
}

/** Serves the metadata at the path that RFC 9728 section 3.1 derives, and at the bare one for simple clients. */
export function metadataRoutes(settings: ResourceSettings): FastifyPluginAsync {
  const metadata = resourceMetadata(settings);
  const derived = new URL(resourceMetadataUrl(settings.BASE_URL)).pathname;
  return async (server) => {
    for (const path of new Set([derived, "/.well-known/oauth-protected-resource"]))
      server.get(path, async (_request, reply) => reply.header("cache-control", "public, max-age=300").send(metadata));
  };
}

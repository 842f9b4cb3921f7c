import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import { SCOPES } from "../domain/scopes.ts";

export interface ResourceOptions {
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** The OAuth issuer. */
  readonly issuer: string;
  readonly operator: string;
  /** Others whose tokens are taken as well. */
  readonly otherIssuers?: readonly string[];
  /** Whether tokens may be bound to certificates (RFC 8705). */
  readonly takesCertificates?: boolean;
}

/** The resource identifier of the GraphQL endpoint (RFC 8707 section 2). */
function resourceIdentifier(baseUrl: string): string {
  return `${baseUrl}/graphql`;
}

/** Where its metadata are: the well-known part goes between host and path (RFC 9728 section 3.1). */
export function resourceMetadataUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(resourceIdentifier(baseUrl));
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}

/** Protected resource metadata (RFC 9728 section 2). */
export function resourceMetadata(options: ResourceOptions): object {
  const { baseUrl, issuer, operator, otherIssuers = [], takesCertificates = false } = options;
  return {
    resource: resourceIdentifier(baseUrl),
    authorization_servers: [issuer, ...otherIssuers],
    scopes_supported: SCOPES,
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    ...(takesCertificates ? { tls_client_certificate_bound_access_tokens: true } : {}),
    resource_name: operator,
  };
}

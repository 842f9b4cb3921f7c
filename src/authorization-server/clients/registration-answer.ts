import type { Client } from "../../domain/clients/client.ts";
import { PATHS } from "../http/endpoints.ts";
import type { CertificateMode } from "./client-certificates.ts";
import type { Described } from "./client-metadata.ts";

/**
 * A registered client as it is told about itself (RFC 7591 section 3.2.1), without its secrets.
 *
 * @param authentication how it said that it would prove itself, where it has just said so
 */
export function describeRegistration(
  client: Client,
  { issuer, certificates }: { readonly issuer: string; readonly certificates: CertificateMode },
  authentication: Described["authentication"] = methodOf(client),
): object {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.parse(client.createdAt) / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    ...(client.postLogoutRedirectUris.length === 0 ? {} : { post_logout_redirect_uris: client.postLogoutRedirectUris }),
    grant_types: client.grantTypes,
    response_types: client.grantTypes.includes("authorization_code") ? ["code"] : [],
    scope: client.scopes.join(" "),
    token_endpoint_auth_method: authentication,
    ...(client.assertionAlgorithm === null ? {} : { token_endpoint_auth_signing_alg: client.assertionAlgorithm }),
    id_token_signed_response_alg: client.idTokenAlgorithm,
    dpop_bound_access_tokens: client.dpopBound,
    require_pushed_authorization_requests: client.mustPush,
    require_signed_request_object: client.mustSign,
    ...(client.certificateSubject === null
      ? {}
      : { [`tls_client_auth_${client.certificateSubject.kind}`]: client.certificateSubject.value }),
    ...(certificates === "off" ? {} : { tls_client_certificate_bound_access_tokens: client.certificateBound }),
    ...(client.jwks === null ? {} : { jwks: client.jwks }),
    ...(client.jwksUri === null ? {} : { jwks_uri: client.jwksUri }),
    registration_client_uri: `${issuer}${PATHS.registration}/${client.id}`,
  };
}

/** One that sends its secret may do so in two ways. */
function methodOf({ type, secretHash, certificateSubject, selfSigned }: Client): Described["authentication"] {
  if (type === "public") return "none";
  if (secretHash !== null) return "client_secret_basic";
  if (certificateSubject !== null) return "tls_client_auth";
  return selfSigned ? "self_signed_tls_client_auth" : "private_key_jwt";
}

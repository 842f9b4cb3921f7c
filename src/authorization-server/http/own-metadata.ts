import { PATHS } from "./endpoints.ts";

/** Algorithms that sign ID tokens. */
export const ID_TOKEN_ALGORITHMS = ["ES256", "RS256"] as const;

/**
 * The part of the metadata (RFC 8414) that a client of the operator's own needs. Such a client comes from this server, so it
 * is configured with it and asks for no document first. The engine need not be loaded to say it.
 */
export function ownMetadata(issuer: string) {
  const base = issuer.replace(/\/$/, "");
  return {
    issuer,
    authorization_endpoint: base + PATHS.authorization,
    pushed_authorization_request_endpoint: base + PATHS.pushed_authorization_request,
    token_endpoint: base + PATHS.token,
    userinfo_endpoint: base + PATHS.userinfo,
    device_authorization_endpoint: base + PATHS.device_authorization,
    revocation_endpoint: base + PATHS.revocation,
    end_session_endpoint: base + PATHS.end_session,
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  };
}

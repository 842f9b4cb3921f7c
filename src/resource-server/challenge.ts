import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import type { AppError } from "../domain/errors.ts";

const ALGS = `algs="${DPOP_ALGORITHMS.join(" ")}"`;

/**
 * The `WWW-Authenticate` value of a refusal (RFC 6750 section 3, `resource_metadata` by RFC 9728 section 5.1):
 * bare when no token came, with both schemes (RFC 9449 section 7.1), `invalid_token` for a bad one, `insufficient_scope` with every scope needed.
 */
export function challenge(error: AppError, resourceMetadataUrl: string): string {
  const metadata = `resource_metadata="${resourceMetadataUrl}"`;
  const { scopes, challenge: code, scheme } = error.details;
  if (error.code === "FORBIDDEN" && scopes !== undefined) {
    return `Bearer error="insufficient_scope", scope="${scopes.join(" ")}", ${metadata}`;
  }
  if (scheme === "DPoP") return `DPoP error="${code ?? "invalid_token"}", ${ALGS}, ${metadata}`;
  return code === undefined ? `Bearer ${metadata}, DPoP ${ALGS}` : `Bearer error="${code}", ${metadata}`;
}

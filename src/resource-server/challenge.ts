import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import type { AppError } from "../domain/errors.ts";

const ALGS = `algs="${DPOP_ALGORITHMS.join(" ")}"`;

/**
 * The `WWW-Authenticate` value of a refusal (RFC 6750 section 3, `resource_metadata` by RFC 9728 section 5.1):
 * bare when no token came, with both schemes (RFC 9449 section 7.1), `invalid_token` for a bad one, `insufficient_scope` with every scope needed.
 */
export function challenge(
  { code, details }: AppError<"UNAUTHENTICATED" | "FORBIDDEN">,
  resourceMetadataUrl: string,
): string {
  const metadata = `resource_metadata="${resourceMetadataUrl}"`;
  const bare = `Bearer ${metadata}, DPoP ${ALGS}`;
  if (code === "FORBIDDEN") {
    const { scopes } = details;
    return scopes === undefined ? bare : `Bearer error="insufficient_scope", scope="${scopes.join(" ")}", ${metadata}`;
  }
  const { challenge: error, scheme } = details;
  if (scheme === "DPoP") return `DPoP error="${error ?? "invalid_token"}", ${ALGS}, ${metadata}`;
  return error === undefined ? bare : `Bearer error="${error}", ${metadata}`;
}

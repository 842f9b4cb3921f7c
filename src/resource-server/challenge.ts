import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import type { AppError } from "../domain/errors.ts";
import { CONTENT_SCOPES } from "../domain/scopes.ts";

const ALGS = `algs="${DPOP_ALGORITHMS.join(" ")}"`;

/** What a client asks for when no request says more: what the API lets every client have. */
const USUAL = CONTENT_SCOPES.join(" ");

/**
 * The `WWW-Authenticate` value of a refusal (RFC 6750 section 3, `resource_metadata` by RFC 9728 section 5.1):
 * without an error when no token came, with both schemes (RFC 9449 section 7.1), `invalid_token` for a bad one, `insufficient_scope`
 * with every scope needed. `scope` says what to ask for.
 */
export function challenge(
  { code, details }: AppError<"UNAUTHENTICATED" | "FORBIDDEN">,
  resourceMetadataUrl: string,
): string {
  const metadata = `resource_metadata="${resourceMetadataUrl}"`;
  const scope = `scope="${details.scopes?.join(" ") ?? USUAL}"`;
  const bare = `Bearer ${metadata}, ${scope}, DPoP ${ALGS}`;
  if (code === "FORBIDDEN") {
    return details.scopes === undefined ? bare : `Bearer error="insufficient_scope", ${scope}, ${metadata}`;
  }
  const { challenge: error, scheme } = details;
  if (scheme === "DPoP") return `DPoP error="${error ?? "invalid_token"}", ${ALGS}, ${metadata}, ${scope}`;
  return error === undefined ? bare : `Bearer error="${error}", ${metadata}, ${scope}`;
}

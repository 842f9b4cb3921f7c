import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import type { AppError } from "../domain/errors.ts";
import { CONTENT_SCOPES } from "../domain/scopes.ts";

const ALGS = `algs="${DPOP_ALGORITHMS.join(" ")}"`;

/** Scopes to ask for, where the refused request needs no special one: those that every client may have. */
const USUAL: readonly string[] = CONTENT_SCOPES;

/**
 * The `WWW-Authenticate` value of a refusal (RFC 6750 section 3, `resource_metadata` by RFC 9728 section 5.1):
 * without an error when no token came, with both schemes (RFC 9449 section 7.1), `invalid_token` for a bad one, `insufficient_scope`
 * with every scope needed, `insufficient_user_authentication` with the sign-in needed (RFC 9470 section 3). `scope` says what to
 * ask for.
 *
 * @param usual scopes to ask for where the refused request needs no special one
 */
export function challenge(
  { code, details, message }: AppError<"UNAUTHENTICATED" | "FORBIDDEN">,
  resourceMetadataUrl: string,
  usual: readonly string[] = USUAL,
): string {
  const metadata = `resource_metadata="${resourceMetadataUrl}"`;
  if (code === "FORBIDDEN") {
    const { scopes } = details;
    if (scopes === undefined) return `Bearer ${metadata}, DPoP ${ALGS}`;
    return `Bearer error="insufficient_scope", scope="${scopes.join(" ")}", ${metadata}`;
  }
  const { challenge: error, scheme, scope: needed } = details;
  const scope = `scope="${(needed ?? usual).join(" ")}"`;
  if (error === "insufficient_user_authentication") {
    const { acrValues, maxAge } = details;
    const acr = acrValues === undefined ? "" : `acr_values="${acrValues.join(" ")}", `;
    const wanted = `error="${error}", error_description="${message}", ${acr}max_age="${maxAge}"`;
    return `${scheme ?? "Bearer"} ${wanted}, ${scheme === "DPoP" ? `${ALGS}, ` : ""}${metadata}, ${scope}`;
  }
  if (scheme === "DPoP") return `DPoP error="${error ?? "invalid_token"}", ${ALGS}, ${metadata}, ${scope}`;
  return error === undefined
    ? `Bearer ${metadata}, ${scope}, DPoP ${ALGS}`
    : `Bearer error="${error}", ${metadata}, ${scope}`;
}

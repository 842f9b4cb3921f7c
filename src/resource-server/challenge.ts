import { DPOP_ALGORITHMS } from "../domain/clients/compact-jws.ts";
import type { AppError } from "../domain/errors.ts";
import { CONTENT_SCOPES } from "../domain/scopes.ts";

const ALGS = `algs="${DPOP_ALGORITHMS.join(" ")}"`;

/** Scopes to ask for, where the refused request needs no special one: those that every client may have. */
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
  if (code === "FORBIDDEN") {
    const { scopes } = details;
    if (scopes === undefined) return `Bearer ${metadata}, DPoP ${ALGS}`;
    return `Bearer error="insufficient_scope", scope="${scopes.join(" ")}", ${metadata}`;
  }
  const { challenge: error, scheme, scope: needed } = details;
  const scope = `scope="${needed?.join(" ") ?? USUAL}"`;
  if (scheme === "DPoP") return `DPoP error="${error ?? "invalid_token"}", ${ALGS}, ${metadata}, ${scope}`;
  return error === undefined
    ? `Bearer ${metadata}, ${scope}, DPoP ${ALGS}`
    : `Bearer error="${error}", ${metadata}, ${scope}`;
}

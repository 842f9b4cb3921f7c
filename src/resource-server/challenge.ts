import type { AppError } from "../domain/errors.ts";

/**
 * The `WWW-Authenticate` value of a refusal (RFC 6750 section 3, `resource_metadata` by RFC 9728 section 5.1):
 * bare when no token came, `invalid_token` for a bad one, `insufficient_scope` with every scope needed.
 */
export function challenge(error: AppError, resourceMetadataUrl: string): string {
  const metadata = `resource_metadata="${resourceMetadataUrl}"`;
  const { scopes, challenge: code } = error.details;
  if (error.code === "FORBIDDEN" && scopes !== undefined) {
    return `Bearer error="insufficient_scope", scope="${scopes.join(" ")}", ${metadata}`;
  }
  return code === undefined ? `Bearer ${metadata}` : `Bearer error="${code}", ${metadata}`;
}

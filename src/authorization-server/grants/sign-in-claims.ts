import type { KoaContextWithOIDC } from "oidc-provider";
import type { SignInClaims } from "../tokens/claims.ts";

/**
 * Claims of an access token that the engine leaves to us: how and when the person signed in, where there is one. JWTs show them (RFC 9068
 * section 2.2.1), and introspection (RFC 9470 section 6.2). A refreshed token has those of the first.
 *
 * @param ctx missing for the tokens that an operator makes
 */
export function signInClaims(
  ctx: KoaContextWithOIDC | undefined,
): (SignInClaims & Record<string, unknown>) | undefined {
  const { AuthorizationCode, RefreshToken, DeviceCode } = ctx?.oidc?.entities ?? {};
  const source = AuthorizationCode ?? RefreshToken ?? DeviceCode;
  if (source?.authTime === undefined) return undefined;
  const { authTime, acr, amr } = source;
  return { auth_time: authTime, ...(acr === undefined ? {} : { acr }), ...(amr === undefined ? {} : { amr }) };
}

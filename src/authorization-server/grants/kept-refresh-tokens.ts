import type { KoaContextWithOIDC } from "oidc-provider";
import { isFapiClient } from "../clients/engine-client.ts";

/**
 * Whether a refresh ends the refresh token and issues another. FAPI 2.0 Security Profile section 5.3.2.1 forbids that: an
 * answer that is lost on its way would lose the access too. Nobody else can use such a client's refresh token, because the
 * client proves who it is, and proves its key or certificate. All other clients get a new one each time.
 */
export function rotatesRefreshTokens({ oidc }: KoaContextWithOIDC): boolean {
  const { client } = oidc;
  if (client === undefined || !isFapiClient(client) || client.clientAuthMethod === "none") return true;
  return client.dpopBoundAccessTokens !== true && client.tlsClientCertificateBoundAccessTokens !== true;
}

/**
 * Stores a refresh token again that was used and stays, so that it lasts as long as a new one would: REFRESH_TOKEN_TTL
 * from now, and a year from the first sign-in at most.
 */
export async function prolongKeptToken(ctx: KoaContextWithOIDC): Promise<void> {
  const { RefreshToken: token } = ctx.oidc.entities;
  if (token === undefined || rotatesRefreshTokens(ctx)) return;
  delete token.exp; // The engine computes it again.
  await token.save();
}

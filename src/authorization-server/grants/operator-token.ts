import type Provider from "oidc-provider";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { engineSeconds } from "../engine/clocks.ts";

/** The grant type that such a token carries. */
export const OPERATOR_GRANT = "operator";

export interface NewAccessToken {
  readonly userId: Id;
  readonly clientId: string;
  /** Space-separated. */
  readonly scope: string;
  readonly ttlSeconds: number;
}

/**
 * An access token without a browser, for operators and scripts: the same artifact, with a grant, as the code flow
 * makes. The caller decides whether the client may have the scope.
 *
 * @throws AppError NOT_FOUND for a client that is unknown or disabled
 */
export async function createAccessToken(
  provider: Provider,
  { userId, clientId, scope, ttlSeconds }: NewAccessToken,
): Promise<{ token: string; expiresAtSeconds: number }> {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new AppError("NOT_FOUND", `There is no active client ${clientId}.`);
  const grant = new provider.Grant({ accountId: userId, clientId });
  grant.addOIDCScope(scope);
  // Nothing is left of it when the token ends.
  grant.exp = Math.floor(engineSeconds()) + ttlSeconds + 1;
  const grantId = await grant.save();
  const properties = { accountId: userId, client, grantId, gty: OPERATOR_GRANT, scope, expiresIn: ttlSeconds };
  const token = await new provider.AccessToken(properties).save();
  return { token, expiresAtSeconds: Math.floor(engineSeconds()) + ttlSeconds };
}

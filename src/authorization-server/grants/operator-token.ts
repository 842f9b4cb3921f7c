import type Provider from "oidc-provider";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { ArtifactStore } from "../../domain/store/artifacts.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { unseal } from "../engine/adapter.ts";
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

export type NewClientToken = Omit<NewAccessToken, "userId">;

export interface CreatedAccessToken {
  /** Shown once only. */
  readonly token: string;
  /** Names the token to whoever revokes it, and opens nothing. */
  readonly id: string;
  readonly expiresAtSeconds: number;
}

/** A live token that an operator made. */
export interface OperatorToken {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  /** Space-separated. */
  readonly scope: string;
  readonly createdAtSeconds: number | null;
  readonly expiresAtSeconds: number;
}

/** The person's live tokens that an operator made, those that last longest first. */
export async function listOperatorTokens(
  { artifacts, sealer }: { artifacts: Pick<ArtifactStore, "listOfUser">; sealer: Sealer },
  userId: string,
  nowSeconds: number,
): Promise<OperatorToken[]> {
  return (await artifacts.listOfUser(userId, ["AccessToken"])).flatMap((artifact) => {
    const { grantId, clientId, scope, expiresAtSeconds } = artifact;
    const payload = unseal(artifact, sealer);
    if (payload?.gty !== OPERATOR_GRANT || grantId === null || clientId === null || expiresAtSeconds === null)
      return [];
    if (expiresAtSeconds <= nowSeconds) return [];
    const createdAtSeconds = payload.iat ?? null;
    return [{ id: grantId, userId, clientId, scope: scope ?? "", createdAtSeconds, expiresAtSeconds }];
  });
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
): Promise<CreatedAccessToken> {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new AppError("NOT_FOUND", `There is no active client ${clientId}.`);
  const grant = new provider.Grant({ accountId: userId, clientId });
  grant.addOIDCScope(scope);
  // Nothing is left of it when the token ends.
  grant.exp = Math.floor(engineSeconds()) + ttlSeconds + 1;
  const grantId = await grant.save();
  const properties = { accountId: userId, client, grantId, gty: OPERATOR_GRANT, scope, expiresIn: ttlSeconds };
  const token = await new provider.AccessToken(properties).save();
  return { token, id: grantId, expiresAtSeconds: Math.floor(engineSeconds()) + ttlSeconds };
}

/**
 * A token with which a client acts for itself, as `client_credentials` makes it. The caller decides whether the client may have the scope.
 *
 * @throws AppError NOT_FOUND for a client that is unknown or disabled
 */
export async function createClientToken(
  provider: Provider,
  { clientId, scope, ttlSeconds }: NewClientToken,
): Promise<Omit<CreatedAccessToken, "id">> {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new AppError("NOT_FOUND", `There is no active client ${clientId}.`);
  const token = await new provider.ClientCredentials({ client, scope, expiresIn: ttlSeconds }).save();
  return { token, expiresAtSeconds: Math.floor(engineSeconds()) + ttlSeconds };
}

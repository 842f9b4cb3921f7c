import { errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import { acrRank, MFA_ACR, PASSKEY_ACR } from "../../domain/acr.ts";
import { MOST_TOTP_FAILURES } from "../../domain/people/second-step.ts";
import { findActiveUser } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import { toEngineError } from "../engine/engine-errors.ts";
import { essentialAcr, wantedAcr } from "../tokens/wanted-acr.ts";

export interface AcrCheckOptions {
  readonly store: Pick<Store, "users" | "secondSteps">;
  /** The domain of passkeys that can be used; null where passkeys are off. */
  readonly passkeyDomain: string | null;
}

/**
 * When the strength of a session makes a person sign in again (U60), in place of the engine's checks, which compare names and know
 * only the `claims` parameter. Each asks once in an interaction: after that the client learns what happened.
 */
export function openAcrChecks({ store, passkeyDomain }: AcrCheckOptions) {
  const { Check } = interactionPolicy;
  return [
    new Check("acr_required", "the requested acr needs another sign-in", "login_required", ({ oidc }) => {
      if (strengthOf(oidc) >= essentialAcr(oidc.params ?? {})) return false;
      // OpenID Connect Core Unmet Authentication Requirements 1.0.
      if (oidc.result?.login !== undefined)
        throw new errors.UnmetAuthenticationRequirements("the sign-in did not reach the requested acr");
      return true;
    }),
    new Check("acr_wished", "the requested acr needs another sign-in", "login_required", async ({ oidc }) => {
      const strength = strengthOf(oidc);
      if (oidc.result?.login !== undefined || strength >= wantedAcr(oidc.params ?? {})) return false;
      return (await reachableRank(oidc.account?.accountId)) > strength;
    }),
  ];

  /** The strength of the strongest sign-in that the person can do. */
  async function reachableRank(userId: string | undefined): Promise<number> {
    try {
      const user = userId === undefined ? null : await findActiveUser(store, userId);
      if (user === null) return 0;
      const { totp, passkeys } = await store.secondSteps.findFactors(user.id, passkeyDomain);
      if (passkeys > 0) return acrRank(PASSKEY_ACR);
      const hasApp = totp !== null && totp.failures < MOST_TOTP_FAILURES;
      return hasApp || user.secondStep ? acrRank(MFA_ACR) : 0;
    } catch (error) {
      throw toEngineError(error);
    }
  }
}

function strengthOf({ session }: KoaContextWithOIDC["oidc"]): number {
  return session?.accountId === undefined ? 0 : acrRank(session.acr);
}

import { errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import { acrRank, MFA_ACR, PASSKEY_ACR } from "../../domain/acr.ts";
import { isSecondStepDemanded, MOST_TOTP_FAILURES, type SecondStepDemand } from "../../domain/people/second-step.ts";
import { findActiveUser, type User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import { toEngineError } from "../engine/engine-errors.ts";
import { essentialAcr, wantedAcr } from "../tokens/wanted-acr.ts";

export interface AcrCheckOptions {
  readonly store: Pick<Store, "users" | "secondSteps">;
  /** The domain of passkeys that can be used; null where passkeys are off. */
  readonly passkeyDomain: string | null;
  readonly demand: SecondStepDemand;
}

/**
 * When the strength of a session makes a person sign in again (U60), in place of the engine's checks, which compare names and know
 * only the `claims` parameter. Those ask once in an interaction: after that the client learns what happened. The first check is no wish of
 * a client: of a session from before SECOND_STEP demanded a second step of the person, or from before they had their role, no token comes (U46).
 */
export function openAcrChecks({ store, passkeyDomain, demand }: AcrCheckOptions) {
  const { Check } = interactionPolicy;
  return [
    new Check("second_step_missing", "the account must have a second step", "login_required", async ({ oidc }) => {
      if (demand === "optional" || strengthOf(oidc) >= acrRank(MFA_ACR)) return false;
      const user = await personOf(oidc);
      return user !== null && isSecondStepDemanded(demand, user.role);
    }),
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
      const user = await personOf(oidc);
      return user !== null && (await reachableRank(user)) > strength;
    }),
  ];

  /** The person of the session; null for one who may not sign in. */
  async function personOf({ account }: KoaContextWithOIDC["oidc"]): Promise<User | null> {
    return account === undefined ? null : findActiveUser(store, account.accountId).catch(rethrow);
  }

  /** The strength of the strongest sign-in that the person can do. */
  async function reachableRank({ id, secondStep }: User): Promise<number> {
    const { totp, passkeys } = await store.secondSteps.findFactors(id, passkeyDomain).catch(rethrow);
    if (passkeys > 0) return acrRank(PASSKEY_ACR);
    const hasApp = totp !== null && totp.failures < MOST_TOTP_FAILURES;
    return hasApp || secondStep ? acrRank(MFA_ACR) : 0;
  }
}

function rethrow(error: unknown): never {
  throw toEngineError(error);
}

function strengthOf({ session }: KoaContextWithOIDC["oidc"]): number {
  return session?.accountId === undefined ? 0 : acrRank(session.acr);
}

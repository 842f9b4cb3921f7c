import { isSecondStepDemanded } from "../../domain/people/second-step.ts";
import type { User } from "../../domain/people/user.ts";
import type { ShownSecondStep } from "../pages/account-second-step.ts";
import type { SecondStep, SecondStepSettings } from "../second-step/second-step.ts";

export interface ShownSecondStepOptions {
  readonly secondStep: Pick<SecondStep, "factorsOf">;
  readonly settings: Pick<SecondStepSettings, "SECOND_STEP">;
  /** null: there are none. */
  readonly passkeys: object | null;
}

/** The second step of a person, as pages show it. */
export async function shownSecondStep(
  { secondStep, settings, passkeys }: ShownSecondStepOptions,
  user: User,
): Promise<ShownSecondStep> {
  const factors = await secondStep.factorsOf(user);
  return {
    isOn: user.secondStep,
    isDemanded: isSecondStepDemanded(settings.SECOND_STEP, user.role),
    hasAuthenticator: factors.totp,
    isOffDuty: factors.isTotpOffDuty,
    codesLeft: factors.codesLeft,
    passkeys: passkeys === null ? null : factors.passkeys,
  };
}

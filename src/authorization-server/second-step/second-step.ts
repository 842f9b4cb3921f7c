import type { FastifyRequest } from "fastify";
import { isSecondStepDemanded, MOST_TOTP_FAILURES, type SecondStepDemand } from "../../domain/people/second-step.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { openAuthenticatorSetUp } from "./authenticator-set-up.ts";
import { openSecondStepCheck } from "./check.ts";
import { openFactorChanges } from "./factors.ts";
import { type FirstStep, openPendingSignIns, type PendingStep } from "./pending.ts";
import { forgetTries, openSecondStepTries } from "./tries.ts";

export interface SecondStepSettings {
  readonly OPERATOR_NAME: string;
  readonly SUPPORT_CONTACT: string | null;
  readonly SECOND_STEP: SecondStepDemand;
  /** The domain of passkeys that can be used; null where passkeys are off. */
  readonly PASSKEY_ID: string | null;
}

export interface SecondStepOptions {
  readonly settings: SecondStepSettings;
  readonly store: Pick<Store, "users" | "secondSteps" | "attempts">;
  readonly sealer: Sealer;
  readonly outgoing: Outgoing;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Factors with which a person can take the second step. */
export interface ShownFactors {
  readonly totp: boolean;
  /** Whether the authenticator app does not count for now, after too many failures. */
  readonly isTotpOffDuty: boolean;
  readonly codesLeft: number;
  readonly passkeys: number;
}

/** `set-up`: a second step is demanded, and the person has none: nothing but its set-up may be reached (U46). */
export type SecondStepNeed = "nothing" | "ask" | "set-up";

export type SecondStep = ReturnType<typeof openSecondStep>;

/**
 * The second step of sign-in (U41 to U49).
 *
 * @example
 * // After the right password, in place of a session:
 * if ((await secondStep.needs(user)) === "ask") show(await secondStep.begin(user, { bound: csrf, amr: ["pwd"], request }));
 * // With the form that was shown:
 * const pending = await secondStep.resume(field("pending"), csrf);
 * if (pending === null) return startAgain();
 * const { refused } = await secondStep.checkTotp({ ...pending, event: "sign-in", request }, field("digits"));
 */
export function openSecondStep({ settings, ...services }: SecondStepOptions) {
  const { store, sealer, now } = services;
  const { SECOND_STEP: demand, PASSKEY_ID: passkeyDomain, OPERATOR_NAME: operator } = settings;
  const tries = openSecondStepTries(store.attempts, now);
  const pending = openPendingSignIns(store.users, sealer, now);
  const setUp = openAuthenticatorSetUp(operator, sealer, now);
  const check = openSecondStepCheck({ ...services, supportContact: settings.SUPPORT_CONTACT, tries });

  async function factorsOf({ id }: Pick<User, "id">): Promise<ShownFactors> {
    const { totp, codesLeft, passkeys } = await store.secondSteps.findFactors(id, passkeyDomain);
    const isTotpOffDuty = totp !== null && totp.failures >= MOST_TOTP_FAILURES;
    return { totp: totp !== null, isTotpOffDuty, codesLeft, passkeys };
  }

  /** Whether a password, or another service, is not enough for this person. */
  function isNeeded(user: User): boolean {
    return user.secondStep || isSecondStepDemanded(demand, user.role);
  }

  return {
    factorsOf,
    isNeeded,

    /** The step that a sign-in of this person, by password or by another service, leads to. */
    async needs(user: User): Promise<SecondStepNeed> {
      if (!isNeeded(user)) return "nothing";
      if (user.secondStep) return "ask";
      const { totp, passkeys } = await factorsOf(user);
      return totp || passkeys > 0 ? "ask" : "set-up";
    },

    /**
     * Begins the time between the two steps. The person is told when others were begun before and stayed without their second step (U49). One
     * that may be skipped does not count.
     *
     * @returns a text for a hidden field of the form or interaction `bound`: nothing else may tell who it is
     */
    async begin(
      user: User,
      about: FirstStep & {
        readonly bound: string;
        readonly step?: Exclude<PendingStep, "done">;
        readonly request: FastifyRequest;
      },
    ): Promise<string> {
      const { bound, step = "ask", request, ...first } = about;
      const field = pending.seal(user, bound, first, step);
      // A person who came from another service has not shown the password, so nobody is warned about it.
      if (step !== "wished" && first.upstream === undefined && (await tries.beginRound(user.id)))
        await check.tell({ user, request, round: "", event: "sign-in" });
      return field;
    },

    /** The same for a person who has taken the second step, and must see something before the end. @param both with the methods of both steps */
    carry: (user: User, bound: string, both: FirstStep) => pending.seal(user, bound, both, "done"),

    /** @returns null where the sign-in begins again with its first step */
    resume: pending.open,

    /** Digits of the authenticator app. */
    checkTotp: check.checkTotp,
    checkRecoveryCode: check.checkRecoveryCode,
    /** Notes that a passkey was right, which also brings back an authenticator app that is off duty. */
    passedByPasskey: check.passedByPasskey,

    /** Pages of new authenticator apps. */
    setUp,
    /** Changes of what a person has. */
    factors: openFactorChanges({ ...services, demand, passkeyDomain, setUp }),
  };
}

/** Forgets failures, so that the person can try again. An authenticator app that is off duty counts again. */
export async function unlockSecondStep(
  store: Pick<Store, "secondSteps" | "attempts">,
  { id }: Pick<User, "id">,
): Promise<void> {
  await store.secondSteps.restoreTotp(id);
  await forgetTries(store.attempts, id);
}

import type { FastifyRequest } from "fastify";
import type { MailKind } from "../../domain/people/mail.ts";
import { isSecondStepDemanded, type SecondStepDemand } from "../../domain/people/second-step.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import type { AuthenticatorSetUp } from "./authenticator-set-up.ts";
import { hashRecoveryCode, newRecoveryCodes, parseRecoveryCode } from "./recovery-codes.ts";
import { sealTotpSecret } from "./totp.ts";

export interface FactorsOptions {
  readonly demand: SecondStepDemand;
  /** The domain of passkeys that can be used; null where passkeys are off. */
  readonly passkeyDomain: string | null;
  readonly store: Pick<Store, "secondSteps">;
  readonly sealer: Sealer;
  readonly setUp: AuthenticatorSetUp;
  readonly outgoing: Outgoing;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** `user` is the person after the change. The message is for the person. */
export type FactorChange =
  | { readonly user: User; readonly message: null }
  | { readonly user: null; readonly message: string };

/** `NewAuthenticator.sealed`, the form that it stands in, and the digits that were typed. */
interface TypedDigits {
  readonly sealed: string;
  readonly bound: string;
  readonly typed: string;
}

/**
 * Changes of what a person does the second step with. Callers have asked for a recent sign-in with the second step (R12), or the person sets
 * it up in a sign-in that demands it. Each is in the audit, and the person is told by mail (U54).
 */
export function openFactorChanges(options: FactorsOptions) {
  const { demand, passkeyDomain, store, sealer, setUp, outgoing, audit, now } = options;
  const { secondSteps } = store;

  async function changed(
    user: User | null,
    { ip: address, id: requestId, headers }: FastifyRequest,
    about: { readonly event: "second-step" | "recovery-code"; readonly detail: string; readonly mail: MailKind },
  ): Promise<FactorChange> {
    if (user === null) return { user, message: OUTDATED };
    const { event, detail, mail } = about;
    await audit.record({ event, detail, result: "ok", userId: user.id, address, requestId });
    await outgoing.notice(mail, user, { browser: nameBrowser(headers["user-agent"]) });
    return { user, message: null };
  }

  return {
    /** Adds the app that `setUp` has shown, in place of one that the person has. Its first digits do not count again. */
    async confirmTotp(
      user: User,
      { sealed, bound, typed }: TypedDigits,
      request: FastifyRequest,
    ): Promise<FactorChange> {
      const read = await setUp.read(user, sealed, bound, typed);
      if (read.step === null) return { user: null, message: read.message ?? OUTDATED };
      const after = await secondSteps.confirmTotp(user, {
        sealedSecret: sealTotpSecret(sealer, user, read.secret),
        confirmedAt: new Date(now()).toISOString(),
        step: read.step,
      });
      return changed(after, request, { event: "second-step", detail: "authenticator app added", mail: "totp-added" });
    },

    /** The only factor goes with the second step, unless that is demanded. */
    async removeTotp(user: User, request: FastifyRequest): Promise<FactorChange> {
      const { passkeys } = await secondSteps.findFactors(user.id, passkeyDomain);
      if (passkeys === 0 && isSecondStepDemanded(demand, user.role))
        return { user: null, message: "Your account must have a second step. Add a passkey first." };
      const after = await secondSteps.removeTotp(user, passkeyDomain);
      const about = { event: "second-step", detail: "authenticator app removed", mail: "totp-removed" } as const;
      return changed(after, request, about);
    },

    /** Makes codes in place of all from before. They are known this once. */
    async makeRecoveryCodes(
      user: User,
      request: FastifyRequest,
    ): Promise<FactorChange & { readonly codes: readonly string[] }> {
      const codes = newRecoveryCodes();
      const hashes = codes.map((code) => hashRecoveryCode(user.id, parseRecoveryCode(code) ?? ""));
      const after = await secondSteps.replaceRecoveryCodes(user, hashes, new Date(now()).toISOString());
      const about = { event: "recovery-code", detail: "made", mail: "recovery-codes-made" } as const;
      return { ...(await changed(after, request, about)), codes: after === null ? [] : codes };
    },

    /** Callers end the person's other sessions then (U45). */
    async turnOn(user: User, request: FastifyRequest): Promise<FactorChange> {
      const after = await secondSteps.turnOn(user, passkeyDomain);
      const { totp, passkeys, codesLeft } = await secondSteps.findFactors(user.id, passkeyDomain);
      if (after === null && totp === null && passkeys === 0)
        return { user: null, message: "Add an authenticator app or a passkey first." };
      if (after === null && codesLeft === 0) return { user: null, message: "Make recovery codes first." };
      return changed(after, request, { event: "second-step", detail: "turned on", mail: "second-step-on" });
    },

    /** Removes the authenticator app and the recovery codes too. */
    async turnOff(user: User, request: FastifyRequest): Promise<FactorChange> {
      if (isSecondStepDemanded(demand, user.role))
        return { user: null, message: "Your account must have a second step. It cannot be turned off." };
      const after = await secondSteps.turnOff(user.id);
      return changed(after, request, { event: "second-step", detail: "turned off", mail: "second-step-off" });
    },
  };
}

const OUTDATED = "Your account has changed since this page was opened. Open the page again.";

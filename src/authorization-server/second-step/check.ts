import type { FastifyRequest } from "fastify";
import type { AuditResult } from "../../domain/audit.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { hashRecoveryCode, parseRecoveryCode } from "./recovery-codes.ts";
import { refusalTexts, type SecondStepRefusal } from "./refusals.ts";
import { digitsOf, matchStep, openTotpSecret } from "./totp.ts";
import { PER_ROUND, type SecondStepTries, type TryKind } from "./tries.ts";

/** A second step that somebody takes, and where. */
export interface SecondStepAttempt {
  /** The person whose first step was right, or whose session is open. */
  readonly user: User;
  /** `PendingSignIn.round`; for a step-up, a name of the session. */
  readonly round: string;
  readonly event: "sign-in" | "step-up";
  readonly request: FastifyRequest;
  readonly clientId?: string | null;
  /** The first step, where another service was it: then nobody has entered the password. */
  readonly upstream?: object | undefined;
}

export type SecondStepResult = { readonly refused: null } | { readonly refused: SecondStepRefusal };

export type RecoveryCodeResult =
  /** How many codes are left. */
  { readonly refused: null; readonly left: number } | { readonly refused: SecondStepRefusal };

export interface CheckOptions {
  readonly supportContact: string | null;
  readonly store: Pick<Store, "secondSteps">;
  readonly sealer: Sealer;
  readonly tries: SecondStepTries;
  readonly outgoing: Outgoing;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Judges digits and recovery codes. The audit has each decision, and never what was typed. */
export function openSecondStepCheck(options: CheckOptions) {
  const { store, sealer, tries, outgoing, audit, now } = options;
  const texts = refusalTexts(options.supportContact);

  const factsOf = ({ user, event, request, clientId = null }: SecondStepAttempt, kind: TryKind | "passkey") => ({
    event: kind === "code" ? ("recovery-code" as const) : ("second-step" as const),
    ...{ userId: user.id, clientId, address: request.ip, requestId: request.id },
    detail: `${NAMES[kind]}${event === "step-up" ? ", asked again" : ""}`,
  });

  function refuse(
    attempt: SecondStepAttempt,
    kind: TryKind,
    result: AuditResult,
    refused: SecondStepRefusal,
  ): { readonly refused: SecondStepRefusal } {
    audit.note({ ...factsOf(attempt, kind), result });
    return { refused };
  }

  /** Tells the person that somebody knows the password, at most once in an hour (U49). */
  async function tell({ user, request }: SecondStepAttempt): Promise<void> {
    if (!(await tries.mayTell(user.id))) return;
    await outgoing.notice("second-step-refused", user, { browser: nameBrowser(request.headers["user-agent"]) });
  }

  /** Counts the try. @returns its number in the round, or why nothing is to be judged */
  async function begin(attempt: SecondStepAttempt, kind: TryKind) {
    const number = await tries.begin(attempt.user.id, attempt.round, kind);
    if (number === "round") return refuse(attempt, kind, "limited", texts.startAgain);
    return number === "person" ? refuse(attempt, kind, "limited", texts.limited) : number;
  }

  async function wrong(attempt: SecondStepAttempt, kind: TryKind, number: number, refused: SecondStepRefusal) {
    const isLast = number >= PER_ROUND;
    if (isLast && attempt.event === "sign-in" && attempt.upstream === undefined) await tell(attempt);
    return refuse(attempt, kind, "refused", isLast ? texts.startAgain : refused);
  }

  async function right(attempt: SecondStepAttempt, kind: TryKind | "passkey"): Promise<void> {
    await tries.succeed(attempt.user.id, attempt.round, attempt.event === "sign-in");
    await audit.record({ ...factsOf(attempt, kind), result: "ok" });
  }

  return {
    tell,

    async checkTotp(attempt: SecondStepAttempt, typed: string): Promise<SecondStepResult> {
      const { user } = attempt;
      const digits = digitsOf(typed);
      if (digits === null) return { refused: texts.noDigits };
      const number = await begin(attempt, "totp");
      if (typeof number !== "number") return number;
      const factor = await store.secondSteps.countTotp(user.id);
      if (factor === null) {
        const { totp } = await store.secondSteps.findFactors(user.id, null);
        if (totp !== null) return refuse(attempt, "totp", "limited", texts.offDuty);
        return wrong(attempt, "totp", number, texts.wrongDigits);
      }
      const step = await matchStep(openTotpSecret(sealer, user, factor.sealedSecret), digits, now());
      const isRight = step !== null && (await store.secondSteps.spendTotp(user.id, factor.confirmedAt, step));
      if (!isRight) return wrong(attempt, "totp", number, texts.wrongDigits);
      await right(attempt, "totp");
      return { refused: null };
    },

    async checkRecoveryCode(attempt: SecondStepAttempt, typed: string): Promise<RecoveryCodeResult> {
      const { user, request } = attempt;
      const code = parseRecoveryCode(typed);
      if (code === null) return { refused: texts.noCode };
      const number = await begin(attempt, "code");
      if (typeof number !== "number") return number;
      const at = new Date(now()).toISOString();
      const left = await store.secondSteps.spendRecoveryCode(user.id, hashRecoveryCode(user.id, code), at);
      if (left === null) return wrong(attempt, "code", number, texts.wrongCode);
      await right(attempt, "code");
      const browser = nameBrowser(request.headers["user-agent"]);
      await outgoing.notice("recovery-code-used", user, { left: String(left), browser });
      return { refused: null, left };
    },

    async passedByPasskey(attempt: SecondStepAttempt): Promise<void> {
      await store.secondSteps.restoreTotp(attempt.user.id);
      await right(attempt, "passkey");
    },
  };
}

const NAMES = { totp: "authenticator app", code: "entered", passkey: "passkey" } as const;

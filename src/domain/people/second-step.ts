import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import type { Role } from "../viewer.ts";
import type { User } from "./user.ts";

/** Failures in a row after which digits are not judged any more; NIST SP 800-63B-4 section 3.2.2 allows 100. */
export const MOST_TOTP_FAILURES = 50;

/** Recovery codes at which the person is asked to make new ones (U44). */
export const FEW_CODES = 3;

/** `SECOND_STEP`: people who must have a second step. `staff` are administrators and editors. */
export type SecondStepDemand = "optional" | "staff" | "required";

/** An authenticator app (RFC 6238). */
export interface TotpFactor {
  /** Base32 of 160 bits, sealed for its person. */
  readonly sealedSecret: string;
  /** RFC 3339, UTC, milliseconds. It tells this factor from one that replaces it. */
  readonly confirmedAt: string;
  /** Failures in a row, those under way included. */
  readonly failures: number;
}

/** Everything that a person can do the second step with. */
interface SecondStepFactors {
  readonly totp: TotpFactor | null;
  /** Recovery codes that have not been used. */
  readonly codesLeft: number;
  /** Passkeys of the domain that was asked for. */
  readonly passkeys: number;
}

/** A person as a request knows them. */
type KnownPerson = Pick<User, "id" | "credentialVersion">;

/**
 * The second step of sign-in: authenticator apps, recovery codes, and `User.secondStep`. Each act is one transaction, decided in the database,
 * so that of any number of requests on any number of nodes one has the effect.
 *
 * Acts that change what a person has are given the person as the request knows them, count `User.credentialVersion` up, and give the person
 * as they are afterwards. They give null, and nothing is written, for a person who is not active, or whose `credentialVersion` is another
 * one by now: a request of somebody who has just been thrown out has no effect.
 *
 * `passkeyDomain` is the domain of passkeys that can be used now; null where passkeys are off.
 */
export interface SecondStepStore {
  findFactors(userId: Id, passkeyDomain: string | null): Promise<SecondStepFactors>;
  /**
   * Gives the person this authenticator app, in place of one that they have.
   * @param step of the digits that confirmed it: they do not count again
   */
  confirmTotp(
    person: KnownPerson,
    factor: Pick<TotpFactor, "sealedSecret" | "confirmedAt"> & { readonly step: number },
  ): Promise<User | null>;
  /**
   * Counts a failure before digits are judged (U35); `spendTotp` takes it back.
   * @returns null where there is no factor, or `MOST_TOTP_FAILURES` are reached: then nothing is to be judged
   */
  countTotp(userId: Id): Promise<TotpFactor | null>;
  /**
   * Uses up the digits of this time step and of all before it. Failures begin at zero.
   * @param confirmedAt of the factor that they were judged by
   * @returns false, and nothing changes, where the step or a later one was used, or there is another factor now
   */
  spendTotp(userId: Id, confirmedAt: string, step: number): Promise<boolean>;
  /** Failures begin at zero: a passkey or an administrator has vouched for the person. */
  restoreTotp(userId: Id): Promise<void>;
  /** Without another factor, this turns the second step off. @returns null also where there is no authenticator app */
  removeTotp(person: KnownPerson, passkeyDomain: string | null): Promise<User | null>;
  /** All codes from before are void. @param at RFC 3339, UTC, milliseconds */
  replaceRecoveryCodes(person: KnownPerson, hashes: readonly string[], at: string): Promise<User | null>;
  /**
   * Uses a code up. Failures of the authenticator app begin at zero.
   * @returns how many are left; null where the person has no such code, or has used it
   */
  spendRecoveryCode(userId: Id, hash: string, at: string): Promise<number | null>;
  /** @returns null also where the person has neither an authenticator app nor a passkey, or no recovery code is left */
  turnOn(person: KnownPerson, passkeyDomain: string | null): Promise<User | null>;
  /**
   * Turns it off, and removes the authenticator app and the recovery codes. Passkeys stay, unless `passkeys` is true: every session and token
   * of the person ends with them, because somebody else may have the device (U40).
   * @throws AppError NOT_FOUND, also for a former member, KeyInUse
   */
  turnOff(userId: Id, options?: { readonly passkeys?: boolean; readonly once?: Once | undefined }): Promise<User>;
}

/** Whether people of this role must have a second step. */
export function isSecondStepDemanded(demand: SecondStepDemand, role: Role): boolean {
  return demand === "required" || (demand === "staff" && role !== "member");
}

import type { Id } from "../../domain/id.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";

/** Seconds after the first counted try after which all of them are forgotten. */
export const TRY_WINDOW = 15 * 60;
/** Tries of one person within that time, of each kind. */
const PER_PERSON = 10;
/** Tries after one first step. */
export const PER_ROUND = 5;
/** Sign-ins that may stay without their second step within a day before the person is told. */
const UNFINISHED = 5;
const HOUR = 3_600;
const DAY = 86_400;

/** A try has a count of its own for each kind: whoever uses up the digits' tries leaves the owner the recovery codes. */
export type TryKind = "totp" | "code";

/**
 * Bounds guessing at the second step, on all nodes together. Each count is written before anything is judged, so that requests at the same
 * time, or cut off before the answer, count as well (U35, R9).
 */
export interface SecondStepTries {
  /** A first step was right. @returns whether too many others stayed without their second step */
  beginRound(userId: Id): Promise<boolean>;
  /** Counts one try. @returns which limit it exceeds, or its number in its round */
  begin(userId: Id, round: string, kind: TryKind): Promise<"round" | "person" | number>;
  /** It was the right person. @param wasBegun whether a sign-in ends with it */
  succeed(userId: Id, round: string, wasBegun: boolean): Promise<void>;
  /** Whether the person may be told now that somebody knows the password: once in an hour (P46). */
  mayTell(userId: Id): Promise<boolean>;
}

/** Lets a person try again. */
export async function forgetTries(attempts: AttemptStore, userId: Id): Promise<void> {
  await attempts.clear(ofPerson(userId, "totp"));
  await attempts.clear(ofPerson(userId, "code"));
}

function ofPerson(userId: Id, kind: TryKind): string {
  return `second step ${userId} by ${kind}`;
}

/** @param now Unix time in milliseconds */
export function openSecondStepTries(attempts: AttemptStore, now: () => number): SecondStepTries {
  const add = (key: string, seconds: number) => attempts.add(key, seconds, Math.floor(now() / 1_000));
  const ofRound = (userId: Id, round: string) => `second step ${userId} ${round}`;
  const unfinished = (userId: Id) => `second steps unfinished ${userId}`;

  return {
    // This one counts in advance: whoever gives up says nothing.
    beginRound: async (userId) => (await add(unfinished(userId), DAY)) > UNFINISHED,

    async begin(userId, round, kind) {
      const inRound = await add(ofRound(userId, round), TRY_WINDOW);
      if (inRound > PER_ROUND) return "round";
      return (await add(ofPerson(userId, kind), TRY_WINDOW)) > PER_PERSON ? "person" : inRound;
    },

    async succeed(userId, round, wasBegun) {
      await forgetTries(attempts, userId);
      await attempts.clear(ofRound(userId, round));
      if (wasBegun) await attempts.withdraw(unfinished(userId));
    },

    mayTell: async (userId) => (await add(`second step refused ${userId}`, HOUR)) === 1,
  };
}

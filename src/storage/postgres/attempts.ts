import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import { changedWithKey } from "../../domain/idempotency.ts";
import { InDoubt, isConflict, postgresError } from "./errors.ts";
import { attemptsAfter } from "./transaction.ts";

/** Milliseconds after which a write is not tried once more on another connection, or after a conflict. */
const RETRY_TIME = 3_000;
const CONFLICT_TIME = 6_000;
/** Milliseconds of which the first pause is a random part. It doubles with each attempt (full jitter). */
const FIRST_PAUSE = 8;

/** Told of each attempt that is followed by another one. */
export type OnRetry = (reason: unknown) => void;

/**
 * Makes a write, and makes it again after a conflict or on another connection, up to eight times. Nothing of an attempt that
 * failed is in the database.
 *
 * @throws AppError as `postgresError`
 */
export async function retried<T>(attempt: () => Promise<T>, onRetry: OnRetry): Promise<T> {
  const began = performance.now();
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const reason = reasonOf(error);
      const limit = isConflict(reason) ? CONFLICT_TIME : RETRY_TIME;
      if (count >= attemptsAfter(reason) || performance.now() - began > limit) throw postgresError(error);
      onRetry(reason);
    }
    await pause(Math.random() * 2 ** (count - 1) * FIRST_PAUSE);
  }
}

/**
 * As `retried`. If a commit is in doubt and the transaction has noted the key of its request (`noteKey`), the next attempt
 * finds the note, and so the change was made, or it makes the change. A note for another object is of a client that sent its
 * request twice.
 */
export async function retriedByKey<T>(attempt: () => Promise<T>, onRetry: OnRetry): Promise<T> {
  let doubt: InDoubt | null = null;
  try {
    return await retried(async () => {
      try {
        return await attempt();
      } catch (error) {
        if (doubt?.keyed && doubt.keyed.subjectId === changedWithKey(error)) return doubt.keyed.value as T;
        if (error instanceof InDoubt && error.keyed !== null) doubt = error;
        throw error;
      }
    }, onRetry);
  } catch (error) {
    throw doubt === null ? error : postgresError(doubt); // other failures would say that nothing was changed
  }
}

/** The first error that PostgreSQL or pg threw. */
export function reasonOf(error: unknown): unknown {
  return error instanceof AppError ? error.cause : error;
}

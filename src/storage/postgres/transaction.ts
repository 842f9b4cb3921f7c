import type { Session } from "./connections.ts";
import { InDoubt, isConflict, isSessionFault } from "./errors.ts";
import { newStatement, type Step } from "./statement.ts";

/** Milliseconds that a write waits for a lock. */
export const PATIENCE = 5_000;
/** Milliseconds after the time limit of a lock at which an answer is overdue. */
export const ANSWER_TIME = 4_000;

/**
 * READ COMMITTED: each statement sees what was committed before it began. The time limits are those of this transaction
 * only, and shorter than our own, so that PostgreSQL says what it was that took too long.
 */
export function begin(patience: number): readonly Step[] {
  const limit = `${patience + 3_000}`;
  return [
    { statement: BEGIN, values: [] },
    { statement: SET_LIMITS, values: [`${patience}`, limit, limit] },
  ];
}

const BEGIN = newStatement("begin isolation level read committed", "kept");
const SET_LIMITS = newStatement(
  `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
    set_config('idle_in_transaction_session_timeout', $3, true)`,
  "kept",
);
const ROLLBACK: Step = { statement: newStatement("rollback", "simple"), values: [] };

/** @returns whether the connection can go on being used */
export async function rollback(session: Session): Promise<boolean> {
  try {
    await session.run(ROLLBACK, ANSWER_TIME);
    return true;
  } catch {
    return false;
  }
}

/** How often a write is tried that ended so. One whose commit is in doubt is tried again only if a key tells what became of it. */
export function attemptsAfter(reason: unknown): number {
  if (isConflict(reason) || (reason instanceof InDoubt && reason.keyed !== null)) return 8;
  return isSessionFault(reason) ? 3 : 1;
}

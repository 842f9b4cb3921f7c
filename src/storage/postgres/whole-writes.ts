import type { Connections } from "./connections.ts";
import { InDoubt, isSessionFault } from "./errors.ts";
import { changedRows, type Outcome, type Step } from "./statement.ts";
import { ANSWER_TIME, begin, PATIENCE, rollback } from "./transaction.ts";
import { COMMIT } from "./watched-steps.ts";

/**
 * One attempt to write what is known beforehand, in one packet with its BEGIN and COMMIT.
 *
 * @param isRight is told how many rows each step changed; when it says no, nothing is written
 * @returns how many rows each changed, or would have
 * @throws what PostgreSQL or pg threw, NoConnection, InDoubt
 */
export async function writeWhole(
  connections: Connections,
  writing: readonly Step[],
  isRight?: (changed: readonly number[]) => boolean,
): Promise<readonly number[]> {
  const steps = [...begin(PATIENCE), ...writing];
  const firstQuery = steps.length - writing.length;
  const changes = ({ tags }: Outcome) => tags.slice(firstQuery, steps.length).map((tag) => changedRows(tag) ?? 0);
  const timeout = PATIENCE + ANSWER_TIME;
  const session = await connections.acquire();
  let isBroken = false;
  try {
    if (isRight === undefined) return changes(await session.run(COMMIT, timeout, steps));
    const [last, ...before] = steps.toReversed() as [Step, ...Step[]];
    const changed = changes(await session.run(last, timeout, before.reverse()));
    if (isRight(changed)) await session.run(COMMIT, timeout);
    else isBroken = !(await rollback(session));
    return changed;
  } catch (error) {
    isBroken = error instanceof InDoubt || isSessionFault(error) || !(await rollback(session));
    throw error;
  } finally {
    session.release(isBroken);
  }
}

import { currentRecord } from "../../observe/request-record.ts";
import type { StatementWatch } from "../../observe/statement-watch.ts";
import { newStatement, type Outcome, type Step } from "./statement.ts";

/** Ends a transaction, alone or after the statements of one that is sent in one go. */
export const COMMIT: Step = { statement: newStatement("commit", "kept"), values: [] };

/** Runs what goes to the database together, and tells the watch how it went. */
export async function watchedSteps(
  statements: StatementWatch,
  steps: readonly Step[],
  run: (steps: readonly Step[]) => Promise<Outcome>,
): Promise<Outcome> {
  const record = currentRecord() ?? null;
  const startedAt = performance.now();
  const texts = () => steps.map(({ statement }) => statement.text);
  try {
    const outcome = await run(steps.map((step) => commented(step, statements)));
    const rows = steps.length === 1 ? outcome.rows.length : rowsOf(outcome);
    statements.ran(texts, startedAt, rows, undefined, record);
    return outcome;
  } catch (error) {
    statements.ran(texts, startedAt, 0, error, record);
    throw error;
  }
}

/** The step with the traceparent of its request in the text, where that is wanted. Such a text never repeats. */
export function commented(step: Step, statements: StatementWatch): Step {
  if (step === COMMIT) return step; // by which a commit in doubt is known
  const { text, mode } = step.statement;
  const own = statements.commented(text);
  return own === text ? step : { ...step, statement: newStatement(own, mode === "simple" ? mode : "once") };
}

/** Rows that all steps together read or changed. */
function rowsOf({ tags }: Outcome): number {
  let rows = 0;
  for (const tag of tags) if (/^(?:SELECT|INSERT|UPDATE|DELETE) /.test(tag)) rows += Number(tag.split(" ").at(-1));
  return rows;
}

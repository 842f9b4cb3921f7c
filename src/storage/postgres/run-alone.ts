import type { Connections } from "./connections.ts";
import { isSessionFault, postgresError } from "./errors.ts";
import { newStatement } from "./statement.ts";

/** Runs one statement outside of a transaction. @throws AppError as `postgresError` */
export async function runAlone(connections: Connections, text: string, patience: number): Promise<void> {
  const session = await connections.acquire();
  let isBroken = false;
  try {
    await session.run({ statement: newStatement(text, "simple"), values: [] }, patience);
  } catch (error) {
    isBroken = isSessionFault(error);
    throw postgresError(error);
  } finally {
    session.release(isBroken);
  }
}

import { AppError } from "../../domain/errors.ts";

/** How often a write is made again while others are after the same. */
const ATTEMPTS = 20;

/** Tries again as long as another write was after the same. */
export async function untilNoRace<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRace(error)) throw error;
    }
  }
}

/** Whether two writes were after the same, so that another attempt may succeed. Errors of rules are not races. */
export function isRace(error: unknown): boolean {
  return error instanceof AppError && error.code === "CONFLICT" && error.cause !== undefined;
}

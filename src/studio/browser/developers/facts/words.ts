import { failureWords } from "../../api/failure-words.ts";
import { ApiFailure } from "../../ports.ts";

/** A sentence for a change of a client that did not succeed. */
export function changeFailureWords(error: unknown): string {
  const isGone = error instanceof ApiFailure && error.kind === "not-found";
  return isGone ? "This client no longer exists, or it has another owner now." : failureWords(error);
}

import { failureWords } from "../api/failure-words.ts";
import { ApiFailure } from "../ports.ts";

/** A sentence for a change of a client that did not succeed. */
export function changeFailureWords(error: unknown): string {
  if (!(error instanceof ApiFailure)) return "Something went wrong in this page. Try again.";
  if (error.kind === "conflict") return error.message;
  if (error.kind === "not-found") return "This client does not exist any more.";
  return failureWords(error);
}

import { failureWords } from "../api/failure-words.ts";
import { ApiFailure } from "../ports.ts";

/** A sentence for a change that did not succeed. The server's own where it has one for people. */
export function changeWords(error: unknown): string {
  return error instanceof ApiFailure
    ? failureWords(error)
    : "Something went wrong in this page. Reload it and see what changed.";
}

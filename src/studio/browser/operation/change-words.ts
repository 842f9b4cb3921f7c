import { failureWords } from "../api/failure-words.ts";
import { ApiFailure } from "../ports.ts";

/** A sentence for a change that did not succeed. The server's own where it has one for people. */
export function changeWords(error: unknown): string {
  if (!(error instanceof ApiFailure))
    return "Something went wrong in this page. Load it again, then look what changed.";
  return error.kind === "conflict" || error.kind === "not-found" ? error.message : failureWords(error);
}

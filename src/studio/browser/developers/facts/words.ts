import { readFailureWords } from "../../api/failure-words.ts";
import { ApiFailure } from "../../ports.ts";

/** Clients that one person may own, as `domain/clients/client-administration.ts` has it. */
export const MAX_OWN_CLIENTS = 20;

/** A sentence for a change of a client that did not succeed. */
export function changeFailureWords(error: unknown): string {
  if (!(error instanceof ApiFailure)) return "Something went wrong in this page. Try again.";
  if (error.kind === "offline")
    return "The server gave no answer, so the change may or may not have been made. Try again: nothing happens twice.";
  if (error.kind === "busy")
    return `The server is busy. Nothing was changed. Try again in ${error.retryAfter ?? 5} seconds.`;
  if (error.kind === "not-found")
    return "You have no such client any more. It may have been deleted in another window.";
  return error.kind === "signed-out" ? readFailureWords(error) : error.message;
}

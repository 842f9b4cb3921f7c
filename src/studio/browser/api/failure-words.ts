import { ApiFailure } from "../ports.ts";

/** A sentence for a page that could not be read. */
export function readFailureWords(error: unknown): string {
  if (!(error instanceof ApiFailure)) return failureWords(error);
  if (error.kind === "offline") return "The server gave no answer. Try again when you are online.";
  if (error.kind === "busy") return `The server is busy. Try again in ${error.retryAfter ?? 5} seconds.`;
  return failureWords(error);
}

/** A sentence for a change that did not succeed. */
export function failureWords(error: unknown): string {
  if (!(error instanceof ApiFailure)) return "Something went wrong in this page. Your text is safe. Try again.";
  switch (error.kind) {
    case "offline":
      return "The server gave no answer, so the change may or may not have been made. Try again: nothing happens twice.";
    case "signed-out":
      return "You are signed out. Sign in, then try again.";
    case "busy":
      return `The server is busy. Nothing was changed. Try again in ${error.retryAfter ?? 5} seconds.`;
    case "conflict":
      return "Somebody changed the post. Nothing was published. Look at the text, then try again.";
    case "not-found":
      return "The post no longer exists, or you may no longer change it.";
    default:
      return error.message;
  }
}

import { ApiFailure } from "../ports.ts";

/** A sentence for a page that could not be read. @param others for all failures but those of the network */
export function readFailureWords(error: unknown, others = failureWords): string {
  if (!(error instanceof ApiFailure)) return others(error);
  if (error.kind === "offline") return "The server gave no answer. Try again when you are online.";
  if (error.kind === "busy") return `The server is busy. Try again in ${waitWords(error)}.`;
  return others(error);
}

/** A sentence for a change that did not succeed. The server's own where it has one for people. */
export function failureWords(error: unknown): string {
  if (!(error instanceof ApiFailure)) return "Something went wrong in this page. Try again.";
  switch (error.kind) {
    case "offline":
      return "The server gave no answer, so the change may or may not have been made. Try again: nothing happens twice.";
    case "signed-out":
      return "You are signed out. Sign in, then try again.";
    case "busy":
      return `${error.code === "RATE_LIMITED" ? "Too many requests" : "The server is busy"}. Nothing was changed. Try again in ${waitWords(error)}.`;
    default:
      return error.message;
  }
}

/** As `failureWords`, for a post. */
export function postFailureWords(error: unknown): string {
  if (!(error instanceof ApiFailure)) return "Something went wrong in this page. Your text is safe. Try again.";
  if (error.kind === "conflict")
    return "Somebody changed the post. Nothing was published. Look at the text, then try again.";
  if (error.kind === "not-found") return "The post no longer exists, or you may no longer change it.";
  return failureWords(error);
}

/** Such as "5 seconds" or "3 minutes". */
function waitWords({ retryAfter }: Pick<ApiFailure, "retryAfter">): string {
  const seconds = retryAfter ?? 5;
  if (seconds === 1) return "1 second";
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

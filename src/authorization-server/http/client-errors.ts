import { AppError } from "../../domain/errors.ts";
import { describeFault, isReaderGone } from "../../observe/describe-fault.ts";
import type { Log } from "../../observe/log.ts";

/** Seconds, told with 503. */
export const RETRY_AFTER = "5";

/** The body of a 503 for clients, in the form of RFC 6749 section 5.2. */
export const BUSY_ANSWER = {
  error: "temporarily_unavailable",
  error_description: "the server is busy, try again shortly",
} as const;

/** The status for what failed before a request was understood; the log is told of what is our fault. */
export function statusOf(error: unknown, requestId: string, log: Log): number {
  if (isReaderGone(error)) return 400;
  const isBusy = error instanceof AppError && error.code === "UNAVAILABLE";
  const { statusCode = 500 } = error instanceof AppError ? {} : (error as { readonly statusCode?: number });
  const status = isBusy ? 503 : statusCode;
  if (status === 500) log.error({ requestId, error: describeFault(error) }, "the authorization server failed");
  return status;
}

/** The `error` for clients (RFC 6749 section 5.2). */
export function errorCode(status: number): string {
  if (status === 503) return BUSY_ANSWER.error;
  return status < 500 ? "invalid_request" : "server_error";
}

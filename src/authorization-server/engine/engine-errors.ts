import Provider, { errors } from "oidc-provider";
import { TooManyCalls } from "../../domain/call-bounds.ts";
import { AppError } from "../../domain/errors.ts";
import { BUSY_ANSWER } from "../http/client-errors.ts";

/**
 * Translates an error to one that the engine can report: too many calls to hosts that callers chose become 429, and an
 * unreachable database becomes `temporarily_unavailable` with 503, in a redirect if there is one. The engine makes all
 * other errors `server_error`.
 */
export function toEngineError(error: unknown): unknown {
  if (error instanceof TooManyCalls) return tooManyRequests(error.message, error.retryAfter, error);
  if (!(error instanceof AppError) || error.code !== "UNAVAILABLE") return error;
  return temporarilyUnavailable(BUSY_ANSWER.error_description, 503, error);
}

/** The engine's error for a caller who has to wait so many seconds, with status 429; the answer says so in `Retry-After`. */
export function tooManyRequests(description: string, seconds: number, cause?: unknown): Error {
  Provider.ctx?.set("retry-after", String(seconds));
  return temporarilyUnavailable(`${description}, try again in ${seconds} s`, 429, cause);
}

function temporarilyUnavailable(description: string, status: number, cause: unknown): Error {
  const unavailable = new errors.TemporarilyUnavailable(description, { cause });
  unavailable.status = unavailable.statusCode = status;
  return unavailable;
}

import Provider, { errors } from "oidc-provider";
import { AppError } from "../../domain/errors.ts";
import { BUSY_ANSWER } from "../http/client-errors.ts";
import { TooManyCalls } from "./host-bounds.ts";

/**
 * Translates an error to one that the engine can report: too many calls to hosts that callers chose become 429, and an
 * unreachable database becomes `temporarily_unavailable` with 503, in a redirect if there is one. The engine makes all
 * other errors `server_error`.
 */
export function toEngineError(error: unknown): unknown {
  if (error instanceof TooManyCalls) {
    Provider.ctx?.set("retry-after", String(error.retryAfter));
    return temporarilyUnavailable(`${error.message}, try again in ${error.retryAfter} s`, 429, error);
  }
  if (!(error instanceof AppError) || error.code !== "UNAVAILABLE") return error;
  return temporarilyUnavailable(BUSY_ANSWER.error_description, 503, error);
}

function temporarilyUnavailable(description: string, status: number, cause: unknown): unknown {
  const unavailable = new errors.TemporarilyUnavailable(description, { cause });
  unavailable.status = unavailable.statusCode = status;
  return unavailable;
}

import { errors } from "oidc-provider";
import { AppError } from "../../domain/errors.ts";
import { BUSY_ANSWER } from "../http/client-errors.ts";

/**
 * What the engine can tell a client: that storage is away becomes `temporarily_unavailable` with 503, in a redirect
 * where there is one. Anything else stays, and the engine makes it `server_error`.
 */
export function toEngineError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "UNAVAILABLE") return error;
  const unavailable = new errors.TemporarilyUnavailable(BUSY_ANSWER.error_description, { cause: error });
  unavailable.status = unavailable.statusCode = 503;
  return unavailable;
}

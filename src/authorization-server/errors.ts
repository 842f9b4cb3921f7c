import { errors } from "oidc-provider";
import { AppError } from "../domain/errors.ts";

/**
 * What the engine can tell a client: that storage is away becomes `temporarily_unavailable` with 503, in a redirect
 * where there is one. Anything else stays, and the engine makes it `server_error`.
 */
export function toEngineError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "UNAVAILABLE") return error;
  const unavailable = new errors.TemporarilyUnavailable("the server is busy, try again shortly", { cause: error });
  unavailable.status = unavailable.statusCode = 503;
  return unavailable;
}

/** A fault as the log may have it: what describes it. Other properties of an error can hold the input that caused it. */
export function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const cause = error.cause === undefined ? {} : { cause: describeFault(error.cause) };
  return { name: error.name, stack: error.stack, ...cause };
}

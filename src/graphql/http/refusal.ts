import { AppError } from "../../domain/errors.ts";
import { KeyInUse } from "../../domain/idempotency.ts";
import type { Log } from "../../observe/log.ts";
import { DocumentError, type ErrorEntry, errorEntry, HttpError, requestStatus } from "../documents/errors.ts";
import type { ResponseType } from "./media-types.ts";
import type { GraphQLResponse } from "./messages.ts";

/** Seconds after which a client may try again when nothing better is known. */
export const RETRY_AFTER = "1";

/** The `WWW-Authenticate` value for a missing or bad token, and for missing scopes. */
export type Challenge = (error: AppError<"UNAUTHENTICATED" | "FORBIDDEN">) => string;

interface RefusalContext {
  readonly log: Log;
  readonly challenge: Challenge;
}

/** The request that is refused. */
interface Refused {
  readonly requestId: string;
  readonly accepted: ResponseType | null;
}

/**
 * The answer when nothing, or nothing more, is executed.
 *
 * @param headers of any answer to the request; those of the refusal are added
 */
export function refusal(
  error: unknown,
  headers: Record<string, string>,
  { requestId, accepted }: Refused,
  { log, challenge }: RefusalContext,
): GraphQLResponse {
  const answer = (status: number, errors: readonly ErrorEntry[]): GraphQLResponse => ({
    status,
    headers,
    body: JSON.stringify({ errors }),
  });
  const statusOf = ([first]: readonly ErrorEntry[]) =>
    requestStatus(first?.extensions.code ?? "INTERNAL", accepted !== "application/graphql-response+json");

  if (error instanceof HttpError) {
    Object.assign(headers, error.headers);
    return answer(error.status, [{ message: error.message, extensions: { code: error.code } }]);
  }
  if (error instanceof DocumentError) return answer(error.status ?? statusOf(error.entries), error.entries);
  const entries = [errorEntry(error, {}, requestId, log)];
  if (error instanceof AppError) addHeaders(headers, error, challenge);
  return answer(error instanceof KeyInUse ? 409 : statusOf(entries), entries);
}

function addHeaders(headers: Record<string, string>, error: AppError, challenge: Challenge): void {
  switch (error.code) {
    case "UNAUTHENTICATED":
      headers["www-authenticate"] = challenge(error);
      if (error.details.nonce !== undefined) headers["dpop-nonce"] = error.details.nonce;
      break;
    case "FORBIDDEN":
      headers["www-authenticate"] = challenge(error);
      break;
    case "CONFLICT":
    case "RATE_LIMITED":
      if (error.details.retryAfter !== undefined) headers["retry-after"] = String(error.details.retryAfter);
      break;
    case "UNAVAILABLE":
      headers["retry-after"] = String(error.details.retryAfter ?? RETRY_AFTER);
      break;
  }
}

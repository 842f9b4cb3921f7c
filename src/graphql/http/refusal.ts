import { AppError } from "../../domain/errors.ts";
import { KeyInUse } from "../../domain/idempotency.ts";
import type { Log } from "../../observe/log.ts";
import { DocumentError, type ErrorEntry, errorEntry, HttpError, requestStatus } from "../documents/errors.ts";
import type { ResponseType } from "./media-types.ts";
import type { GraphQLResponse } from "./messages.ts";

/** Seconds after which a client may try again when nothing better is known. */
export const RETRY_AFTER = "1";

export interface RefusalContext {
  readonly log: Log;
  /** The `WWW-Authenticate` value. */
  readonly challenge: (error: AppError) => string;
}

/** The request that is refused. */
export interface Refused {
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
  if (error instanceof KeyInUse) {
    headers["retry-after"] = RETRY_AFTER;
    return answer(409, entries);
  }
  if (error instanceof AppError) {
    const { code, details } = error;
    if (code === "UNAUTHENTICATED" || code === "FORBIDDEN") headers["www-authenticate"] = challenge(error);
    if (details.nonce !== undefined) headers["dpop-nonce"] = details.nonce;
    if (details.retryAfter !== undefined) headers["retry-after"] = String(details.retryAfter);
    else if (code === "UNAVAILABLE") headers["retry-after"] = RETRY_AFTER;
  }
  return answer(statusOf(entries), entries);
}

import { AppError } from "../../domain/errors.ts";
import { KeyInUse } from "../../domain/idempotency.ts";
import type { Log } from "../../observe/log.ts";
import type { Metrics } from "../../observe/metrics.ts";
import {
  DocumentError,
  type ErrorEntry,
  errorEntry,
  HttpError,
  printErrors,
  requestStatus,
} from "../documents/errors.ts";
import type { ResponseType } from "./media-types.ts";
import type { GraphQLResponse } from "./messages.ts";

/** Seconds after which a client may try again when nothing better is known. */
export const RETRY_AFTER = "1";

/** The `WWW-Authenticate` value for a missing or bad token, and for missing scopes. */
export type Challenge = (error: AppError<"UNAUTHENTICATED" | "FORBIDDEN">) => string;

interface RefusalContext {
  readonly log: Log;
  readonly metrics: Pick<Metrics, "counter">;
  readonly challenge: Challenge;
  readonly errorPage: string | null;
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
  { log, metrics, challenge, errorPage }: RefusalContext,
): GraphQLResponse {
  const answer = (status: number, errors: readonly ErrorEntry[]): GraphQLResponse => {
    countErrors(errors, metrics);
    return { status, headers, body: `{"errors":${printErrors(errors, errorPage)}}` };
  };
  const statusOf = ([first]: readonly ErrorEntry[]) =>
    requestStatus(first?.extensions.code ?? "INTERNAL", accepted !== "application/graphql-response+json");

  if (error instanceof HttpError) {
    Object.assign(headers, error.headers);
    return answer(error.status, [{ message: error.message, extensions: { code: error.code } }]);
  }
  if (error instanceof DocumentError) return answer(error.status ?? statusOf(error.entries), error.entries);
  const entries = [errorEntry(error, {}, requestId, log)];
  if (error instanceof AppError) Object.assign(headers, refusalHeaders(error, challenge));
  return answer(error instanceof KeyInUse ? 409 : statusOf(entries), entries);
}

/** Counts the errors of an answer by their code. */
export function countErrors(errors: readonly ErrorEntry[], metrics: Pick<Metrics, "counter">): void {
  for (const { extensions } of errors) metrics.counter("graphql_errors_total", extensions.code).add();
}

/** The headers with which an HTTP answer tells how a caller may do better. */
export function refusalHeaders(error: AppError, challenge: Challenge): Record<string, string> {
  switch (error.code) {
    case "UNAUTHENTICATED": {
      const { nonce } = error.details;
      return { "www-authenticate": challenge(error), ...(nonce === undefined ? {} : { "dpop-nonce": nonce }) };
    }
    case "FORBIDDEN":
      return { "www-authenticate": challenge(error) };
    case "CONFLICT":
    case "RATE_LIMITED": {
      const { retryAfter } = error.details;
      return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    }
    case "UNAVAILABLE":
      return { "retry-after": String(error.details.retryAfter ?? RETRY_AFTER) };
    default:
      return {};
  }
}

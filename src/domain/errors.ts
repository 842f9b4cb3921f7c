/**
 * Everything that can go wrong in a way a caller may be told about.
 * The list is closed: docs/errors.md explains each code, and a test compares the two.
 */
export type ErrorCode =
  | "GRAPHQL_PARSE_FAILED"
  | "GRAPHQL_VALIDATION_FAILED"
  | "BAD_REQUEST"
  | "BAD_USER_INPUT"
  | "UNAUTHENTICATED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "CONFLICT"
  | "COST_LIMIT_EXCEEDED"
  | "RATE_LIMITED"
  | "PERSISTED_QUERY_NOT_FOUND"
  | "INTERNAL"
  | "UNAVAILABLE";

/** What a caller may know beside the message; becomes `extensions` of a GraphQL error. */
export interface ErrorDetails {
  /** Dotted path of the argument that broke a rule, such as `input.title`. */
  readonly field?: string;
  /** Every scope that the request needs, where some are missing (RFC 6750 section 3.1). */
  readonly scopes?: readonly string[];
  /** The error code of the challenge; absent when no token was sent (RFC 6750 section 3.1, RFC 9449 section 7.1). */
  readonly challenge?: "invalid_token" | "invalid_request" | "invalid_dpop_proof" | "use_dpop_nonce";
  /** The scheme of the challenge where it is not Bearer. */
  readonly scheme?: "DPoP";
  /** What the next DPoP proof must have as its `nonce`, in a header of its own (RFC 9449 section 9). */
  readonly nonce?: string;
  readonly cost?: number;
  readonly limit?: number;
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter?: number;
  /** What the object has now, where another version was expected. */
  readonly version?: number;
}

/** A failure whose message is safe to show. Private detail goes into `cause`, which only the log sees. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** An argument breaks a rule; `field` is its dotted path. */
export function badInput(field: string, message: string): AppError {
  return new AppError("BAD_USER_INPUT", message, { field });
}

/**
 * Names the argument as the caller knows it, where it is part of another.
 *
 * @param prefix such as `input.`
 * @throws what `work` throws, of BAD_USER_INPUT with the prefix before its field
 */
export async function withinInput<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === "BAD_USER_INPUT" && error.details.field !== undefined)
      throw badInput(prefix + error.details.field, error.message);
    throw error;
  }
}

/**
 * Runs every check, so that a caller learns at once of all that is wrong.
 *
 * @throws AppError BAD_USER_INPUT: of several broken rules the first, with all of them as an AggregateError in its cause
 */
export function badInputs(checks: readonly (() => unknown)[]): void {
  const broken: AppError[] = [];
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof AppError && error.code === "BAD_USER_INPUT")) throw error;
      broken.push(error);
    }
  }
  const [first, ...more] = broken;
  if (first === undefined) return;
  if (more.length === 0) throw first;
  throw new AppError(first.code, first.message, first.details, new AggregateError(broken));
}

/**
 * Every failure that a caller may learn of, with the fields that a caller may know besides the message.
 * The list is closed: error-codes.ts explains each code and each field of `extensions`, and a test compares the two.
 */
interface ErrorDetails {
  GRAPHQL_PARSE_FAILED: NoDetails;
  GRAPHQL_VALIDATION_FAILED: NoDetails;
  BAD_REQUEST: NoDetails;
  BAD_USER_INPUT: {
    /** Dotted path of the argument that breaks a rule, such as `input.title`. */
    readonly field?: string;
    /** All broken rules, where there are several. The first gives the message and the field. */
    readonly broken?: readonly BrokenRule[];
  };
  /** Every field becomes part of a response header; `acrValues` and `maxAge` are in `extensions` too. */
  UNAUTHENTICATED: {
    /** The error code of the challenge; absent when no token was sent (RFC 6750 section 3.1, RFC 9449 section 7.1). */
    readonly challenge?:
      | "invalid_token"
      | "invalid_request"
      | "invalid_dpop_proof"
      | "use_dpop_nonce"
      | "insufficient_user_authentication";
    /** The scheme of the challenge where it is not Bearer. */
    readonly scheme?: "DPoP";
    /** The `nonce` that the next DPoP proof must have, in a header of its own (RFC 9449 section 9). */
    readonly nonce?: string;
    /** Every scope that the request needs, where that is known (RFC 6750 section 3). */
    readonly scope?: readonly string[];
    /** The strengths of a sign-in of which one is needed (RFC 9470 section 3). */
    readonly acrValues?: readonly string[];
    /** Seconds that the sign-in may be old. */
    readonly maxAge?: number;
  };
  FORBIDDEN: {
    /** Every scope that the request needs, where some are missing (RFC 6750 section 3.1). */
    readonly scopes?: readonly string[];
  };
  NOT_FOUND: NoDetails;
  CONFLICT: {
    /** The version that the object has now, where another one was expected. */
    readonly version?: number;
    /** The version that the working copy of the post has now, 0 for none, where another one was expected. */
    readonly workingVersion?: number;
    /** The unique property that another object has already. */
    readonly field?: string;
    /** Seconds after which another attempt makes sense. */
    readonly retryAfter?: number;
  };
  COST_LIMIT_EXCEEDED: { readonly cost?: number; readonly limit: number };
  RATE_LIMITED: { readonly cost?: number; readonly limit?: number; readonly retryAfter?: number };
  PERSISTED_QUERY_NOT_FOUND: NoDetails;
  INTERNAL: NoDetails;
  UNAVAILABLE: { readonly retryAfter?: number };
}

type NoDetails = Readonly<Record<string, never>>;

export type ErrorCode = keyof ErrorDetails;

/** One rule that the input breaks. */
interface BrokenRule {
  readonly field: string | null;
  readonly message: string;
}

interface ErrorOf<Code extends ErrorCode> extends Error {
  readonly code: Code;
  readonly details: ErrorDetails[Code];
}

/** A failure whose message and details are safe to show. Private detail goes into `cause`, which only the log sees. */
export type AppError<Code extends ErrorCode = ErrorCode> = { [Each in Code]: ErrorOf<Each> }[Code];

interface AppErrorConstructor {
  [Symbol.hasInstance](value: unknown): value is AppError;
  new <Code extends ErrorCode>(
    code: Code,
    message: string,
    details?: ErrorDetails[Code],
    cause?: unknown,
  ): AppError<Code>;
  /** For classes that extend it: they need one type, not a union. */
  new (
    ...of: { [Each in ErrorCode]: [Each, message: string, details?: ErrorDetails[Each], cause?: unknown] }[ErrorCode]
  ): ErrorOf<ErrorCode>;
}

export const AppError = class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: object;

  constructor(code: ErrorCode, message: string, details: object = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
} as unknown as AppErrorConstructor;

/** An argument breaks a rule; `field` is its dotted path. */
export function badInput(field: string, message: string): AppError<"BAD_USER_INPUT"> {
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
 * Runs every check, so that a caller learns of all errors together.
 *
 * @throws AppError BAD_USER_INPUT for the first broken rule; where there are several, all of them are in its details
 */
export function badInputs(checks: readonly (() => unknown)[]): void {
  const broken: AppError<"BAD_USER_INPUT">[] = [];
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
  throw new AppError("BAD_USER_INPUT", first.message, {
    ...first.details,
    broken: broken.flatMap(({ message, details }) => details.broken ?? [{ message, field: details.field ?? null }]),
  });
}

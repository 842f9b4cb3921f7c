import type { ASTNode, GraphQLError, SourceLocation } from "graphql";
import { AppError, type ErrorCode } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";

/** One entry of `errors` in an answer (GraphQL specification section 7.1.2). */
export interface ErrorEntry {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly SourceLocation[];
  readonly extensions: { readonly code: ErrorCode } & Readonly<Record<string, unknown>>;
}

/**
 * The entries as an answer has them.
 *
 * @param page with an explanation of each code, at the anchor of its name in lower case: `extensions.url`. null: there is none
 */
export function printErrors(entries: readonly ErrorEntry[], page: string | null): string {
  if (page === null) return JSON.stringify(entries);
  return JSON.stringify(
    entries.map((entry) => ({
      ...entry,
      extensions: { ...entry.extensions, url: `${page}#${entry.extensions.code.toLowerCase()}` },
    })),
  );
}

/** The place of an error in the document and in the answer. */
export interface ErrorPlace {
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly SourceLocation[];
}

export function locationsOf({ loc }: ASTNode): readonly SourceLocation[] {
  return loc === undefined ? [] : [{ line: loc.startToken.line, column: loc.startToken.column }];
}

/** The document or its variables are wrong: nothing was executed. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly entries: readonly ErrorEntry[];
  /** Set where the status does not follow from the code. */
  readonly status: number | null;

  constructor(entries: readonly ErrorEntry[], status: number | null = null) {
    super(entries.map((entry) => entry.message).join("; "));
    this.entries = entries;
    this.status = status;
  }

  static from(errors: readonly GraphQLError[], code: ErrorCode): DocumentError {
    return new DocumentError(errors.map((error) => documentEntry(error, code)));
  }
}

/** The request is refused by its HTTP form, whatever the document says. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly code: ErrorCode;

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    code: ErrorCode = "BAD_REQUEST",
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.code = code;
  }
}

/** The code that the caller sees of a failure. */
export function codeOf(error: unknown): ErrorCode {
  if (error instanceof DocumentError) return error.entries[0]?.extensions.code ?? "INTERNAL";
  return error instanceof AppError || error instanceof HttpError ? error.code : "INTERNAL";
}

/** The HTTP status when an error ends the request; field errors beside data leave it at 200. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  BAD_REQUEST: 400,
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 200,
  CONFLICT: 200,
  COST_LIMIT_EXCEEDED: 400,
  RATE_LIMITED: 429,
  PERSISTED_QUERY_NOT_FOUND: 400,
  INTERNAL: 500,
  UNAVAILABLE: 503,
};

/** Errors of the document itself: 200 where the client asked for plain application/json (GraphQL over HTTP, section 6.4.1). */
const ABOUT_THE_DOCUMENT: ReadonlySet<ErrorCode> = new Set([
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "COST_LIMIT_EXCEEDED",
  "PERSISTED_QUERY_NOT_FOUND",
]);

/** The status of an answer without `data`. */
export function requestStatus(code: ErrorCode, plainJson: boolean): number {
  return plainJson && ABOUT_THE_DOCUMENT.has(code) ? 200 : STATUS[code];
}

/** The status of an answer whose `data` is null: the server's own faults show, a refused mutation is an ordinary answer. */
export function nullDataStatus(code: ErrorCode | undefined): number {
  return code === "INTERNAL" || code === "UNAVAILABLE" ? STATUS[code] : 200;
}

/** graphql-js repeats what it was given, which may be long. */
const MESSAGE_LENGTH = 1_000;

/** An error that graphql-js reports about a document or its variables. */
export function documentEntry(error: GraphQLError, code: ErrorCode): ErrorEntry {
  const own = error.originalError instanceof AppError ? error.originalError : null;
  const place = error.locations === undefined ? {} : { locations: error.locations };
  if (own !== null) return appEntry(own, place);
  const message = error.message.length > MESSAGE_LENGTH ? `${error.message.slice(0, MESSAGE_LENGTH)}…` : error.message;
  return { message, ...place, extensions: { ...error.extensions, code } };
}

/**
 * The caller's view of a failure. Anything unexpected becomes INTERNAL with the id of the request; its detail
 * goes to the log alone.
 */
export function errorEntry(error: unknown, place: ErrorPlace, requestId: string, log: Log): ErrorEntry {
  if (error instanceof AppError && error.code !== "INTERNAL") {
    if (error.code === "UNAVAILABLE" && !isRefusal(error))
      log.error({ err: error, requestId }, "graphql: a dependency is unavailable");
    return appEntry(error, place);
  }
  log.error({ err: error, requestId }, "graphql: unexpected failure");
  return { message: "Something went wrong on the server.", ...place, extensions: { code: "INTERNAL", requestId } };
}

/** Nothing failed: who refused names the time after which it may be asked for again. Under load there are too many to log. */
function isRefusal({ details, cause }: AppError<"UNAVAILABLE">): boolean {
  return details.retryAfter !== undefined && cause === undefined;
}

export function appEntry(error: AppError, place: ErrorPlace = {}): ErrorEntry {
  const { message, code } = error;
  return { message, ...place, extensions: { code, ...extensionsOf(error) } };
}

/** The details that an answer shows as they are. The others become headers, or errors of a payload. */
function extensionsOf({ code, details }: AppError): object {
  if (code === "UNAUTHENTICATED") {
    const { maxAge, acrValues } = details;
    // Callers over WebSocket see no headers.
    return { ...(maxAge === undefined ? {} : { maxAge }), ...(acrValues === undefined ? {} : { acrValues }) };
  }
  if (code !== "BAD_USER_INPUT") return details;
  const { broken: _, ...shown } = details;
  return shown;
}

import { ApiFailure, type FailureKind } from "../ports.ts";

/** One entry of `errors` in an answer, or of a payload's own `errors`. */
export interface ErrorEntry {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly code?: string;
  readonly field?: string | null;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export interface GraphQLAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ErrorEntry[];
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  UNAUTHENTICATED: "signed-out",
  FORBIDDEN: "forbidden",
  NOT_FOUND: "not-found",
  CONFLICT: "conflict",
  BAD_USER_INPUT: "bad-input",
  RATE_LIMITED: "busy",
  UNAVAILABLE: "busy",
};

/** Sentences for the person, in place of the API's, which are for developers. */
const WORDS: Partial<Record<FailureKind, string>> = {
  busy: "The server is busy. Nothing was lost.",
  failed: "Something went wrong at the server.",
};

/** Seconds, where the server names none. */
const USUAL_WAIT = 5;

/** @param answer for its headers; null where there was none */
export function failureOf(entry: ErrorEntry, answer: Response | null): ApiFailure {
  const { extensions = {} } = entry;
  const code = entry.code ?? (typeof extensions.code === "string" ? extensions.code : null);
  const known = typeof extensions.maxAge === "number" ? "recent-sign-in" : code === null ? undefined : KINDS[code];
  const kind = known ?? kindOfStatus(answer?.status ?? 0);
  return new ApiFailure({
    kind,
    message: WORDS[kind] ?? entry.message,
    code,
    field: entry.field ?? (typeof extensions.field === "string" ? extensions.field : null),
    extensions,
    requestId: answer?.headers.get("x-request-id") ?? null,
    retryAfter: kind === "busy" ? waitOf(answer) : null,
  });
}

/** The failure of an answer that has no GraphQL in it. */
export function failureOfStatus(answer: Response): ApiFailure {
  return failureOf({ message: `The server answered with status ${answer.status}.` }, answer);
}

/** The first error of the answer or of one of its payloads; null where all went well. */
export function firstFailure({ data, errors }: GraphQLAnswer, answer: Response | null): ApiFailure | null {
  const [first] = errors ?? [];
  if (first !== undefined) return failureOf(first, answer);
  for (const value of Object.values(data ?? {})) {
    const failure = payloadFailure(value, answer);
    if (failure !== null) return failure;
  }
  return null;
}

/** The first entry of `errors` in a payload. */
export function payloadFailure(value: unknown, answer: Response | null): ApiFailure | null {
  const { errors } = (value ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) && errors.length > 0 ? failureOf(errors[0] as ErrorEntry, answer) : null;
}

function kindOfStatus(status: number): FailureKind {
  if (status === 401) return "signed-out";
  if (status === 403) return "forbidden";
  return status === 429 || status === 503 ? "busy" : "failed";
}

function waitOf(answer: Response | null): number {
  const seconds = Number(answer?.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : USUAL_WAIT;
}

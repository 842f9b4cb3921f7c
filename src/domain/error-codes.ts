import type { ErrorCode } from "./errors.ts";

interface ErrorCodeRow {
  /** HTTP statuses with `Accept: application/graphql-response+json`, in Markdown. */
  readonly status: string;
  /** The cases in which callers get it. */
  readonly when: string;
  /** Advice to the caller. */
  readonly remedy: string;
  /** Fields of `extensions` besides `code`, each with its meaning. */
  readonly extensions?: Readonly<Record<string, string>>;
}

/** Every code of `extensions.code`, for people: docs/reference/errors.md is made of it. */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeRow>> = {
  GRAPHQL_PARSE_FAILED: {
    status: "400",
    when: "The document is not valid GraphQL.",
    remedy: "Correct the document at the place that `locations` names.",
  },
  GRAPHQL_VALIDATION_FAILED: {
    status: "400",
    when: "The document does not match the schema.",
    remedy: "Compare the names in the message with the schema.",
  },
  BAD_REQUEST: {
    status: "400, 405, 406, 408, 413, 415",
    when: "The HTTP request around the document is wrong.",
    remedy: "Correct method, headers or form of the body, as the message says.",
  },
  BAD_USER_INPUT: {
    status: "400 before anything ran, else 200 with a field error or in `errors` of the payload; 422",
    when: "An argument breaks a rule. 422: the `Idempotency-Key` was used with another request.",
    remedy: "Correct the argument. The message says which values are allowed.",
    extensions: { field: "dotted path of the argument, such as `input.title`" },
  },
  UNAUTHENTICATED: {
    status: "401 with `WWW-Authenticate`",
    when: "The access token is missing or invalid (RFC 6750), or its sign-in is too old or too weak for the field (RFC 9470).",
    remedy: "Get a new access token. For a sign-in, send the person to `/authorize` with `max_age` and `acr_values`.",
    extensions: {
      maxAge: "for a sign-in: seconds that it may be old",
      acrValues: "for a sign-in: strengths of which one is needed",
    },
  },
  FORBIDDEN: {
    status: "403 with `WWW-Authenticate` if scopes are missing, else 200 with a field error",
    when: "The token or the person may not do this.",
    remedy:
      "Ask for the missing scopes at `/authorize`. Without `scopes`, the person lacks the role, or the object is another person's.",
    extensions: { scopes: "all scopes that the document needs" },
  },
  NOT_FOUND: {
    status: "200 with a field error",
    when: "A mutation names an object that does not exist, or that the caller may not see.",
    remedy: "Read the list again. The object may have been deleted.",
  },
  CONFLICT: {
    status: "200 with a field error; 409 with `Retry-After`",
    when: "The object has another version or state. 409: a request with the same `Idempotency-Key` is running.",
    remedy: "Read the object again, apply the change to its current version, and send that version.",
    extensions: {
      version: "the current version of the object",
      workingVersion: "the current version of the post's working copy, 0 without one",
      field: "the value that another object has already",
      retryAfter: "seconds until another attempt makes sense",
    },
  },
  COST_LIMIT_EXCEEDED: {
    status: "400",
    when: "The document could read more than one request may.",
    remedy: "Ask for shorter lists or fewer levels. `MAX_COST` and the other limits are in `serverInfo`.",
    extensions: { cost: "points or another size of the document", limit: "the limit that it exceeds" },
  },
  RATE_LIMITED: {
    status: "429 with `Retry-After`; 200 with a field error",
    when: "The token or IP address has spent its points. With a field error, an administrator has sent 50 mails within an hour, or tests webhooks too often.",
    remedy: "Wait for `retryAfter` seconds, then send the request again.",
    extensions: {
      retryAfter: "seconds until there are enough points",
      cost: "points of the request",
      limit: "points that a full bucket has",
    },
  },
  PERSISTED_QUERY_NOT_FOUND: {
    status: "200 for Apollo's protocol, 400 for a trusted document",
    when: "The server does not know the document's id.",
    remedy: "Send the document with its hash once. Trusted documents are registered by the operator.",
  },
  INTERNAL: {
    status: "500",
    when: "A fault of this server, logged with the same request id.",
    remedy: "Tell the operator the `requestId`. Whether a change was made is unknown: read before you repeat it.",
    extensions: { requestId: "id of the request, which the log has too" },
  },
  UNAVAILABLE: {
    status: "503 with `Retry-After`",
    when: "The database is busy, full or unreachable, or the server is overloaded. Nothing was written, unless the message says otherwise.",
    remedy: "Wait for `retryAfter` seconds, then send the request again.",
    extensions: { retryAfter: "seconds until another attempt makes sense" },
  },
};

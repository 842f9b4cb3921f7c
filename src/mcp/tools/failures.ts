import type { AppError, ErrorCode } from "../../domain/errors.ts";
import type { JsonObject, ToolResult } from "../protocol/service.ts";

const FAULT = "This is a fault of the server. Tell the person, and do not try again.";
/** Characters of a message: GraphQL may repeat what it was given. */
const MESSAGE = 500;

/** Advice to the model for each error. */
const NEXT: { readonly [Code in ErrorCode]: (details: AppError<Code>["details"]) => string } = {
  GRAPHQL_PARSE_FAILED: () => FAULT,
  GRAPHQL_VALIDATION_FAILED: () => FAULT,
  BAD_REQUEST: () => FAULT,
  PERSISTED_QUERY_NOT_FOUND: () => FAULT,
  INTERNAL: () => FAULT,
  BAD_USER_INPUT: () => "Correct the arguments, and call the tool again.",
  UNAUTHENTICATED: () => "Ask the person to connect this program again.",
  FORBIDDEN: () => "Do not try again. Tell the person that this is not allowed.",
  NOT_FOUND: () => "Check the id with search, list_posts or list_people.",
  CONFLICT: ({ version, retryAfter }) =>
    version === undefined
      ? `${waiting(retryAfter)} If it fails again, read the post with get_post first.`
      : `Read the post again with get_post. If the change still makes sense, repeat it with expectedVersion ${version}.`,
  COST_LIMIT_EXCEEDED: () => "Ask for fewer entries with first.",
  RATE_LIMITED: ({ retryAfter }) => waiting(retryAfter),
  UNAVAILABLE: ({ retryAfter }) => `${waiting(retryAfter)} After a change, first look whether it was made.`,
};

function waiting(seconds = 5): string {
  return `Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** The answer of a tool that failed, as a model should read it: code, one sentence, what to do next. */
export function failed({ code, message, details }: AppError): ToolResult {
  const next = NEXT[code] as (details: object) => string;
  const { version } = details as { readonly version?: number };
  return failure(code, message, next(details), version === undefined ? {} : { version });
}

export function failure(code: string, message: string, next: string, more: JsonObject = {}): ToolResult {
  const text = JSON.stringify({ code, message: message.slice(0, MESSAGE), next, ...more });
  return { content: [{ type: "text", text }], isError: true };
}

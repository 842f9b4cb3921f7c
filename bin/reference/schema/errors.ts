import type { GraphQLField } from "graphql";
import { ERROR_CODES } from "../../../src/domain/error-codes.ts";
import type { ErrorCode } from "../../../src/domain/errors.ts";
import { requiredScopes } from "../../../src/graphql/documents/schema.ts";

/** Codes of each root field, such as `createPost`, that the tests have seen: bin/reference/recorded. */
export type FieldErrors = Readonly<Record<string, readonly ErrorCode[]>>;

/** Codes that do not depend on the field: the request, its token, its document and its rate, and faults. */
export const EVERYWHERE: readonly ErrorCode[] = [
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_REQUEST",
  "UNAUTHENTICATED",
  "COST_LIMIT_EXCEEDED",
  "RATE_LIMITED",
  "PERSISTED_QUERY_NOT_FOUND",
  "INTERNAL",
  "UNAVAILABLE",
];

/** Codes of one root field besides those: what follows from its declaration, and what the tests have seen. */
export function errorsOf(root: string, field: GraphQLField<unknown, unknown>, recorded: FieldErrors): ErrorCode[] {
  const found = new Set<ErrorCode>(
    (recorded[`${root}.${field.name}`] ?? []).filter((code) => !EVERYWHERE.includes(code)),
  );
  if (field.args.length > 0) found.add("BAD_USER_INPUT");
  if (requiredScopes(field).length > 0) found.add("FORBIDDEN");
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => found.has(code));
}

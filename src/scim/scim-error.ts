import { AppError } from "../domain/errors.ts";
import { describeFault } from "../observe/describe-fault.ts";
import type { Log } from "../observe/log.ts";

type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "uniqueness";

/** A failure as SCIM tells it (RFC 7644 section 3.12). Its message is safe to show. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, scimType: ScimType | null, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

const STATUSES: Readonly<Partial<Record<AppError["code"], number>>> = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  UNAVAILABLE: 503,
};

/** The failure for the caller; the log is told of what is our fault. */
export function toScimError(error: unknown, requestId: string, log: Log): ScimError {
  if (error instanceof ScimError) return error;
  if (error instanceof AppError) {
    if (error.code === "BAD_USER_INPUT") return new ScimError(400, "invalidValue", error.message);
    const status = STATUSES[error.code];
    const isTaken = error.code === "CONFLICT" && error.details.field !== undefined;
    if (status !== undefined) return new ScimError(status, isTaken ? "uniqueness" : null, error.message);
  }
  const { statusCode, code } = error as { readonly statusCode?: number; readonly code?: string };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new ScimError(413, null, "The body is too large.");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return new ScimError(415, null, "The body must be application/scim+json.");
  if (statusCode !== undefined && statusCode < 500) return new ScimError(statusCode, null, "The request is malformed.");
  log.error({ requestId, error: describeFault(error) }, "SCIM failed");
  return new ScimError(500, null, "The server failed. Try again later.");
}

/** The body of the answer. */
export function errorBody({ status, scimType, message }: ScimError): object {
  const schemas = ["urn:ietf:params:scim:api:messages:2.0:Error"];
  return { schemas, status: String(status), ...(scimType === null ? {} : { scimType }), detail: message };
}

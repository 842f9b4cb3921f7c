import { AppError } from "../../domain/errors.ts";
import { describeFault } from "../../observe/describe-fault.ts";
import type { McpOptions } from "./http-messages.ts";
import { CODES, ProtocolError } from "./service.ts";

/** The request is rejected by its HTTP form, whatever its message says. */
export class HttpFault extends Error {
  override readonly name = "HttpFault";
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** A failure as the client learns of it: over HTTP with status and headers, over stdio the JSON-RPC error alone. */
interface Failure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type DescribeFailure = (error: unknown, requestId: string) => Failure;

/**
 * Describes failures for clients, and logs those that are the server's own. The JSON-RPC code of an AppError is the HTTP status,
 * as the protocol leaves codes outside of its own range to the application.
 */
export function openFailures({ refuse, log }: Pick<McpOptions<never>, "refuse" | "log">): DescribeFailure {
  return (error, requestId) => {
    if (error instanceof ProtocolError) {
      const { status, code, message, data } = error;
      return { status, headers: {}, error: { code, message, data } };
    }
    if (error instanceof AppError) {
      if (error.code === "INTERNAL" || (error.code === "UNAVAILABLE" && error.cause !== undefined))
        tell(error, requestId);
      const { status, headers, message } = refuse(error);
      return { status, headers, error: { code: status, message, data: { code: error.code } } };
    }
    const status = statusOf(error);
    if (status !== null) {
      const headers = error instanceof HttpFault ? error.headers : {};
      return { status, headers, error: { code: CODES.invalidRequest, message: (error as Error).message } };
    }
    tell(error, requestId);
    const message = "Something went wrong on the server.";
    return { status: 500, headers: {}, error: { code: CODES.internalError, message, data: { requestId } } };
  };

  function tell(error: unknown, requestId: string): void {
    log.error({ err: describeFault(error), requestId }, "mcp: unexpected failure");
  }
}

/** Status of an error about the form of a request, as `http/` has them. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error && "statusCode" in error)) return null;
  const status = Number(error.statusCode);
  return status >= 400 && status < 500 ? status : null;
}

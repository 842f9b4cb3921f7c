import type { IncomingHttpHeaders } from "node:http";
import type { AppError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { EventSink } from "./channel.ts";
import type { McpService } from "./service.ts";

export interface McpRequest<Caller = unknown> {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The whole body as it came; null when there is none. */
  readonly body: Buffer | null;
  /** Tells this request from others in the log. */
  readonly requestId: string;
  /** The caller's IP address, behind trusted proxies; null if unknown. */
  readonly address: string | null;
  /** Whether the client has gone away. */
  readonly isClosed: () => boolean;
  /** Thumbprint of the client's certificate (RFC 8705 section 3.1); null without one. */
  readonly certificateThumbprint?: () => string | null;
  /** The caller, where it had to be known before the body was read. */
  readonly caller?: Caller;
}

export interface McpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Begins an answer with the status 200 and these headers, to send it piece by piece. */
export type OpenStream = (headers: Readonly<Record<string, string>>) => EventSink;

/** The answer to an AppError. */
interface Refusal {
  readonly status: number;
  /** Such as WWW-Authenticate and Retry-After, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
}

export interface McpOptions<Caller> {
  readonly service: McpService<Caller>;
  /** Finds the caller by the head of the request. @throws AppError, which `refuse` tells */
  readonly admit: (request: McpRequest<Caller>) => Caller | Promise<Caller>;
  readonly refuse: (error: AppError) => Refusal;
  /** Whether pages of that origin may call: our own, or a configured one. */
  readonly isOwnOrigin: (origin: string) => boolean;
  /** Whether the server is on its way out, and rejects new streams. */
  readonly isClosing: () => boolean;
  readonly log: Log;
}

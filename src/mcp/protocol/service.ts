/** JSON-RPC 2.0 section 5.1, and MCP 2026-07-28, schema.ts. */
export const CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

/** HTTP statuses of errors whose answer has another one than 200 (2026-07-28, Streamable HTTP). */
const STATUSES: Readonly<Record<number, number>> = {
  [CODES.parseError]: 400,
  [CODES.invalidRequest]: 400,
  [CODES.methodNotFound]: 404,
  [CODES.internalError]: 500,
  [CODES.headerMismatch]: 400,
  [CODES.missingCapability]: 400,
  [CODES.unsupportedVersion]: 400,
};

/** JSON-RPC error of the protocol, with the HTTP status of its answer. Faults of tools are results (`isError`), not these. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  /** @param code one of CODES */
  constructor(code: number, message: string, { status, data }: { status?: number; data?: unknown } = {}) {
    super(message);
    this.code = code;
    this.status = status ?? STATUSES[code] ?? 200;
    this.data = data;
  }
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** The declaration of a tool. `inputSchema` and `outputSchema` are JSON Schema 2020-12 with `type: "object"` at the top. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

/** One request, as the service sees it. The same in every revision of the protocol, over HTTP and over stdio. */
export interface Call<Caller> {
  readonly caller: Caller;
  /** Tells this request from others in the log and in the audit. */
  readonly requestId: string;
  /** The caller's IP address; null if unknown, and over stdio. */
  readonly address: string | null;
  /**
   * Capabilities of the client for this request (2026-07-28). Earlier revisions have the client tell them once, in `initialize`:
   * over stdio the process remembers them, over HTTP the server remembers nothing and this is empty.
   */
  readonly clientCapabilities: JsonObject;
  /** `_meta` of the request, such as its `progressToken`; absent where the client sent none. */
  readonly meta?: JsonObject;
  /** `traceparent` of `_meta` (W3C Trace Context); null without one that is well-formed. */
  readonly traceparent: string | null;
  /** Answers to `inputRequests` of the answer before, with its `requestState` (2026-07-28, MRTR); null in a first request. */
  readonly inputResponses: JsonObject | null;
  readonly requestState: string | null;
  /** Whether nobody waits for the answer any more. */
  isClosed(): boolean;
  /** Sends a notification about this request before its answer, where the client takes event streams. */
  notify(method: string, params: JsonObject): void;
}

export type Content = JsonObject & { readonly type: string };

export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
}

/** A `ToolResult` that is JSON already. */
export interface ReadyResult {
  /** Names and values of the object, without its braces. */
  readonly members: string;
}

/**
 * Asks the client for something before the request can be answered (2026-07-28, MRTR). At least one of the two is there.
 *
 * In earlier revisions the transport sends each of the requests to the client, waits, and calls the service again with the
 * answers. The answers must reach the same process.
 */
export interface InputRequired {
  /** Requests by names of the service's choice. Each must be one that `clientCapabilities` allow. */
  readonly inputRequests?: JsonObject;
  readonly requestState?: string;
}

/** Methods beside those of McpService, with the capabilities that announce them. */
export interface OtherMethods<Caller> {
  /** Put over the capabilities that the transport announces, name by name. */
  readonly capabilities: JsonObject;
  readonly methods: ReadonlyMap<string, (call: Call<Caller>, params: JsonObject) => JsonObject | Promise<JsonObject>>;
}

/** Revision 2026-07-28 is stateless; those before it begin with the handshake `initialize`. */
export type Era = "stateless" | "handshake";

type Answer<Result> = Result | Promise<Result>;

/**
 * Tools, resources and prompts behind the transport. The transport knows nothing about content: the tests serve the fixtures of the
 * conformance suite through it.
 *
 * Each method may throw a ProtocolError. Any other error is told by `McpOptions.refuse`.
 */
export interface McpService<Caller> {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** Advice to a model about the use of the tools. */
  readonly instructions: string;
  /** In a fixed order. It may depend on what the caller was granted. */
  listTools(call: Call<Caller>): Answer<readonly Tool[]>;
  callTool(call: Call<Caller>, name: string, args: JsonObject): Answer<ToolResult | ReadyResult | InputRequired>;
  readonly resourceTemplates: readonly ResourceTemplate[];
  /** Resources by name; empty where there are only templates. */
  listResources(call: Call<Caller>): Answer<readonly JsonObject[]>;
  /** @throws ProtocolError invalidParams for a URI that there is not, or that the caller does not see */
  readResource(call: Call<Caller>, uri: string): Answer<readonly JsonObject[]>;
  readonly prompts: readonly Prompt[];
  getPrompt(
    call: Call<Caller>,
    name: string,
    args: { readonly [name: string]: string },
  ): Answer<{ readonly description: string; readonly messages: readonly JsonObject[] } | InputRequired>;
  /** Further methods of an era. Called once for each. */
  otherMethods?(era: Era): OtherMethods<Caller>;
  /**
   * Tells of changes of resources until the caller ends it (`subscriptions/listen`).
   *
   * @param uris those of `resourceSubscriptions` that are well-formed
   * @param updated called with the URI of a resource that has changed
   * @param ended called once where the server ends it, at shutdown for example or with the token
   * @returns how to end it, and the URIs that it tells of
   * @throws AppError UNAVAILABLE where too many streams are open
   */
  listen?(
    call: Call<Caller>,
    uris: readonly string[],
    updated: (uri: string) => void,
    ended: () => void,
  ): Promise<{ readonly uris: readonly string[]; readonly end: () => void }>;
}

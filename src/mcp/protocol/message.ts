import { isObject } from "./json.ts";
import { CODES, type JsonObject, ProtocolError } from "./service.ts";

export type RequestId = string | number;

/** A message that calls a method: a request, or a notification, which has no id and gets no answer. */
export interface Invocation {
  /** null for a notification. */
  readonly id: RequestId | null;
  readonly method: string;
  /** Empty where the message has none. */
  readonly params: JsonObject;
  readonly meta: JsonObject | undefined;
}

/** The client's answer to a request of ours (revisions before 2026-07-28). */
export interface ClientAnswer {
  readonly id: RequestId;
  /** null where the client answered with an error. */
  readonly result: JsonObject | null;
}

const NO_PARAMS: JsonObject = {};

/**
 * Reads one message of JSON-RPC 2.0, as narrow as MCP has it: ids are strings or integers, params are objects.
 *
 * @throws ProtocolError invalidRequest
 */
export function readMessage(value: unknown): Invocation | ClientAnswer {
  if (!isObject(value)) throw invalid("A message must be a JSON object.");
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== "2.0") throw invalid('A message must have "jsonrpc": "2.0".');
  if (id !== undefined && !isRequestId(id)) throw invalid("The id must be a string or an integer.");
  if (method === undefined && id !== undefined && ("result" in value || "error" in value))
    return { id, result: isObject(value.result) ? value.result : null };
  if (typeof method !== "string") throw invalid("A message must name its method.");
  if (params !== undefined && !isObject(params)) throw invalid("The params must be a JSON object.");
  const meta = params?._meta;
  if (meta !== undefined && !isObject(meta))
    throw new ProtocolError(CODES.invalidParams, "The _meta of a message must be a JSON object.", { status: 400 });
  return { id: id ?? null, method, params: params ?? NO_PARAMS, meta };
}

/** The id that an error about the message must repeat; null where none can be read. */
export function idOf(value: unknown): RequestId | null {
  return isObject(value) && isRequestId(value.id) ? value.id : null;
}

export function resultMessage(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** An error without an id answers a message whose id cannot be read. */
export function errorMessage(id: RequestId | null, error: { code: number; message: string; data?: unknown }): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: "2.0", ...(id === null ? {} : { id }), error: { code, message, data } });
}

export function notificationMessage(method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(CODES.invalidRequest, message);
}

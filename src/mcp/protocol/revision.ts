/**
 * The revisions that one address serves, in two eras, and how a request tells its own:
 *
 * 1. `_meta` has `io.modelcontextprotocol/protocolVersion`: that is its revision, and over HTTP the header
 *    MCP-Protocol-Version must say the same (-32020). With 2026-07-28 the request is *stateless*: `_meta` has the capabilities
 *    too (-32602), and the headers Mcp-Method and Mcp-Name agree with the body (-32020).
 * 2. Without that field, a header that names 2026-07-28 is a stateless request without its `_meta` (-32602).
 * 3. Otherwise the request is of the *handshake* era. `initialize` agrees on a revision, and gets no session: the client repeats
 *    the revision in the header of later requests. A request without the header counts as 2025-03-26, which had none.
 * 4. Any other revision is rejected with the list of those served (-32022).
 *
 * Over stdio there are no headers: without the field of 1, the revision is the one that `initialize` agreed on.
 */
import { isObject } from "./json.ts";
import type { Invocation } from "./message.ts";
import { type Call, CODES, type Era, type JsonObject, ProtocolError } from "./service.ts";
import { readTraceparent } from "./trace-context.ts";

export const STATELESS = "2026-07-28";
/** Newest first. */
const HANDSHAKE = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
export const SUPPORTED: readonly string[] = [STATELESS, ...HANDSHAKE];
/** The only revision with JSON-RPC batches. */
export const BATCHES = "2025-03-26";

export const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

/** @throws ProtocolError unsupportedVersion */
export function eraOf(version: string): Era {
  if (version === STATELESS) return "stateless";
  if ((HANDSHAKE as readonly string[]).includes(version)) return "handshake";
  throw new ProtocolError(CODES.unsupportedVersion, "This server does not speak that protocol version.", {
    data: { supported: SUPPORTED, requested: version },
  });
}

/**
 * Era of a message that came over HTTP.
 *
 * @param header MCP-Protocol-Version
 * @throws ProtocolError headerMismatch, invalidParams or unsupportedVersion
 */
export function eraOverHttp(message: Invocation, header: string | undefined): Era {
  const claimed = claimedVersion(message.meta);
  if (claimed !== undefined) {
    if (claimed === header) return eraOf(claimed);
    throw new ProtocolError(
      CODES.headerMismatch,
      header === undefined
        ? "The header MCP-Protocol-Version is missing."
        : "The header MCP-Protocol-Version differs from the protocol version in _meta.",
    );
  }
  if (header === STATELESS) {
    if (message.id !== null) throw missingFromMeta(message.meta);
    return "stateless";
  }
  return header === undefined || message.method === "initialize" ? "handshake" : eraOf(header);
}

/** @throws ProtocolError invalidParams for one that is not a string */
export function claimedVersion(meta: JsonObject | undefined): string | undefined {
  const version = meta?.[META.version];
  if (version === undefined || typeof version === "string") return version;
  throw new ProtocolError(CODES.invalidParams, `The field ${META.version} of _meta must be a string.`, { status: 400 });
}

type CallMeta = Pick<Call<never>, "clientCapabilities" | "meta" | "traceparent" | "inputResponses" | "requestState">;

/**
 * Fields of a call that its message states.
 *
 * @throws ProtocolError invalidParams where a stateless request lacks the capabilities of its client, or has malformed answers
 */
export function callMeta(era: Era, meta: JsonObject | undefined, params: JsonObject): CallMeta {
  const capabilities = meta?.[META.clientCapabilities];
  if (era === "stateless" && !isObject(capabilities)) throw missingFromMeta(meta);
  const { inputResponses, requestState } = era === "stateless" ? params : {};
  if (inputResponses !== undefined && !(isObject(inputResponses) && Object.values(inputResponses).every(isObject)))
    throw new ProtocolError(CODES.invalidParams, "The inputResponses must be a JSON object of JSON objects.");
  if (requestState !== undefined && typeof requestState !== "string")
    throw new ProtocolError(CODES.invalidParams, "The requestState must be a string.");
  return {
    clientCapabilities: era === "stateless" && isObject(capabilities) ? capabilities : {},
    ...(meta === undefined ? {} : { meta }),
    traceparent: readTraceparent(meta),
    inputResponses: inputResponses ?? null,
    requestState: requestState ?? null,
  };
}

/** The revision that `initialize` agrees on: the client's, or our newest if we do not serve that. */
export function agreedVersion(params: JsonObject): string {
  const asked = params.protocolVersion;
  return HANDSHAKE.find((version) => version === asked) ?? HANDSHAKE[0];
}

function missingFromMeta(meta: JsonObject | undefined): ProtocolError {
  const missing = [META.version, META.clientCapabilities].filter((name) => !isObject(meta) || !isSet(meta, name));
  return new ProtocolError(CODES.invalidParams, `The _meta of the request lacks ${missing.join(" and ")}.`, {
    status: 400,
    data: { missing },
  });
}

function isSet(meta: JsonObject, name: string): boolean {
  return name === META.clientCapabilities ? isObject(meta[name]) : meta[name] !== undefined;
}

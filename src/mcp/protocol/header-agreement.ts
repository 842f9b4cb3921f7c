import type { IncomingHttpHeaders } from "node:http";
import type { Invocation } from "./message.ts";
import { CODES, ProtocolError } from "./service.ts";

/** Parameter that the header Mcp-Name repeats, by method. */
const NAMED: Readonly<Record<string, "name" | "uri">> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

const PLAIN = /^[\t\x20-\x7e]*$/;
const ENCODED = /^=\?base64\?((?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)\?=$/;

/**
 * Checks that the headers by which proxies route a stateless request say what its body says (2026-07-28, Streamable HTTP,
 * section "Request Metadata").
 *
 * @throws ProtocolError headerMismatch
 */
export function assertHeadersAgree({ method, params }: Invocation, headers: IncomingHttpHeaders): void {
  const named = headers["mcp-method"];
  if (named === undefined) throw mismatch("The header Mcp-Method is missing.");
  if (named !== method) throw mismatch("The header Mcp-Method differs from the method of the body.");
  const parameter = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined;
  const value = parameter === undefined ? undefined : params[parameter];
  if (typeof value !== "string") return;
  const header = headers["mcp-name"];
  if (header === undefined) throw mismatch("The header Mcp-Name is missing.");
  if (decode(String(header)) !== value)
    throw mismatch(`The header Mcp-Name differs from the ${parameter} in the body.`);
}

/** A value that plain ASCII cannot hold stands there as `=?base64?…?=`. */
function decode(header: string): string {
  if (!PLAIN.test(header)) throw mismatch("The header Mcp-Name must be ASCII, or have the form =?base64?…?=.");
  if (!(header.startsWith("=?base64?") && header.endsWith("?="))) return header;
  const [, encoded] = ENCODED.exec(header) ?? [];
  if (encoded === undefined) throw mismatch("The header Mcp-Name is not Base64 inside =?base64?…?=.");
  return Buffer.from(encoded, "base64").toString();
}

function mismatch(message: string): ProtocolError {
  return new ProtocolError(CODES.headerMismatch, message);
}

import { isAscii } from "node:buffer";
import { CODES, type JsonObject, ProtocolError } from "./service.ts";

/** Levels of objects and arrays that a message may have: tools take flat arguments. */
const MAX_DEPTH = 64;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the text of a message. Besides what is not JSON it rejects what two readers of the same text may understand in two
 * ways: a name that an object has twice, and `__proto__` as a name.
 *
 * @throws ProtocolError parseError or invalidRequest, with the status 400
 */
export function parseMessage(body: Buffer | string): unknown {
  const text = typeof body === "string" ? body : decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's own message quotes the text.
    throw new ProtocolError(CODES.parseError, "The body is not JSON.");
  }
  if (countMembers(value, 0) !== countNames(text))
    throw new ProtocolError(CODES.invalidRequest, "An object in the body has the same name twice.");
  return value;
}

function decode(body: Buffer): string {
  if (isAscii(body)) return body.toString("latin1"); // which takes less time
  try {
    return utf8.decode(body);
  } catch {
    throw new ProtocolError(CODES.parseError, "The body is not UTF-8.");
  }
}

function countMembers(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth === MAX_DEPTH)
    throw new ProtocolError(CODES.invalidRequest, `The body is nested more than ${MAX_DEPTH} levels deep.`);
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item, depth + 1);
    return count;
  }
  for (const name in value) {
    if (name === "__proto__") throw new ProtocolError(CODES.invalidRequest, "The name __proto__ is not allowed.");
    count += 1 + countMembers((value as JsonObject)[name], depth + 1);
  }
  return count;
}

/** Counts the strings that a colon follows, in a text that is JSON. */
function countNames(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    let next = end + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === 0x3a) count++;
    start = text.indexOf('"', next);
  }
  return count;
}

/** Whether an odd number of backslashes stands before the quote. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
  return slashes % 2 === 1;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

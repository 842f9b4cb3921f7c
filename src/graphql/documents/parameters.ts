import { isUtf8 } from "node:buffer";
import { AppError, badInput } from "../../domain/errors.ts";

/** The parameters of a request (GraphQL over HTTP, section 5). Absent, null and empty parts are all the same. */
export interface Parameters {
  readonly query: string | null;
  /** Names a document that the server has (appendix A). */
  readonly documentId: string | null;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

/** How deep values inside variables may nest; no input of the schema comes near. */
const VARIABLE_DEPTH = 32;

/** A document of the program's own, with variables that may come from others. */
export type OwnParameters = Pick<Parameters, "variables"> & { readonly query: string };

/** @throws AppError BAD_REQUEST, BAD_USER_INPUT */
export function parametersOf({ query, variables }: OwnParameters): Parameters {
  return readEnvelope({ query, variables });
}

/** @throws AppError BAD_REQUEST, BAD_USER_INPUT */
export function parametersOfBody(body: Buffer | null): Parameters {
  if (body === null || body.length === 0) throw badRequest("The request has no body.");
  if (!isUtf8(body)) throw badRequest("The body is not valid UTF-8.");
  const envelope = parseJson(body.toString(), "The body");
  if (Array.isArray(envelope)) throw badRequest("Batches are not supported: send one operation per request.");
  return readEnvelope(assertMap(envelope, "The body"));
}

/** @throws AppError BAD_REQUEST, BAD_USER_INPUT */
export function parametersOfUrl(url: string): Parameters {
  const start = url.indexOf("?");
  const search = start === -1 ? "" : url.slice(start + 1);
  try {
    decodeURIComponent(search);
  } catch (error) {
    throw badRequest("The address is not valid UTF-8.", error);
  }
  const parameters = new URLSearchParams(search);
  const envelope: Record<string, unknown> = Object.create(null);
  for (const name of ["query", "documentId", "operationName", "variables", "extensions"]) {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) throw badRequest(`The address has "${name}" more than once.`);
    if (value === undefined || value === "") continue;
    const isJson = name === "variables" || name === "extensions";
    envelope[name] = isJson ? parseJson(value, `"${name}"`) : value;
  }
  return readEnvelope(envelope);
}

function readEnvelope(envelope: Readonly<Record<string, unknown>>): Parameters {
  assertOrdinaryKeys(envelope, "The body");
  const variables = assertMap(envelope.variables ?? NOTHING, '"variables"');
  assertOrdinaryMap(variables, "", VARIABLE_DEPTH);
  return {
    query: readString(envelope, "query"),
    documentId: readString(envelope, "documentId"),
    operationName: readString(envelope, "operationName") || null,
    variables,
    extensions: assertMap(envelope.extensions ?? NOTHING, '"extensions"'),
  };
}

function readString(envelope: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = envelope[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw badRequest(`"${name}" must be a string.`);
  return value;
}

/** Rejects values that no input can mean before anything reads them, declared or not. */
function assertOrdinaryMap(map: Readonly<Record<string, unknown>>, path: string, depth: number): void {
  assertOrdinaryKeys(map, '"variables"');
  for (const key in map) assertOrdinaryValue(map[key], path === "" ? key : `${path}.${key}`, depth);
}

function assertOrdinaryValue(value: unknown, path: string, depth: number): void {
  if (typeof value === "string") {
    if (!value.isWellFormed() || value.includes("\0")) {
      throw badInput(path, `${path} must be valid Unicode text without U+0000.`);
    }
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) throw badRequest(`"variables" has a number at ${path} that is too large.`);
  } else if (typeof value === "object" && value !== null) {
    if (depth === 0) throw badRequest(`"variables" nests deeper than ${VARIABLE_DEPTH} levels.`);
    if (Array.isArray(value)) for (const item of value) assertOrdinaryValue(item, path, depth - 1);
    else assertOrdinaryMap(value as Record<string, unknown>, path, depth - 1);
  }
}

/** `JSON.parse` makes an own property of `__proto__`, harmless until somebody copies it. Nobody has to send it. */
function assertOrdinaryKeys(map: Readonly<Record<string, unknown>>, where: string): void {
  for (const key of ["__proto__", "constructor"]) {
    if (Object.hasOwn(map, key)) throw badRequest(`${where} must not have the key "${key}".`);
  }
}

function assertMap(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest(`${what} must be a JSON object.`);
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`${what} is not valid JSON.`, error);
  }
}

function badRequest(message: string, cause?: unknown): AppError {
  return new AppError("BAD_REQUEST", message, {}, cause);
}

import type { NewScimPerson, ScimInput } from "../domain/people/scim-administration.ts";
import { attributeKey, type Given, type Model } from "./model.ts";
import { ScimError } from "./scim-error.ts";

/** Levels of objects and lists in a body at most; that of a user has four. */
const MOST_LEVELS = 12;
const MOST_OPERATIONS = 100;
const MOST_PATH = 300;

type Json = Readonly<Record<string, unknown>>;

/** Attributes that are kept, in the spelling of RFC 7643, by their `attributeKey`. */
const KNOWN = new Map(
  ["userName", "displayName", "externalId", "active", "name.formatted", "name.givenName", "name.familyName"].map(
    (path) => [path.toLowerCase(), path],
  ),
);

/** Values by their paths; the last one counts. */
type Values = Map<string, unknown>;

/** @throws ScimError with status 400 for a body that is no object, or too deep */
function readObject(body: unknown): Json {
  if (!isObject(body)) throw new ScimError(400, "invalidSyntax", "The body must be a JSON object.");
  if (isDeeper(body, MOST_LEVELS)) throw new ScimError(400, "invalidSyntax", "The body has too many levels.");
  return body;
}

/**
 * Reads a whole user (RFC 7644 sections 3.3 and 3.5.1). Attributes that are not kept are ignored, a password too: Okta sends one with
 * every new user.
 *
 * @throws ScimError with status 400
 */
export function readUser(body: unknown, model: Model): NewScimPerson {
  const values: Values = new Map();
  const user = readObject(body);
  collect(user, values);
  const { schemas } = user;
  if (schemas !== undefined && !Array.isArray(schemas))
    throw new ScimError(400, "invalidSyntax", "schemas must be a list.");
  const given = model.readGiven(nested(values));
  return { ...inputOf(given, values), userName: given.userName ?? "", roles: rolesOf(attributeOf(user, "roles")) };
}

/**
 * Reads a PATCH message (RFC 7644 section 3.5.2). Every operation comes down to values of attributes, because none that is kept has
 * several values.
 *
 * @throws ScimError with status 400
 */
export function readPatch(body: unknown, model: Model): ScimInput {
  const message = readObject(body);
  const list = attributeOf(message, "Operations");
  if (Array.isArray(list) && list.length > MOST_OPERATIONS)
    throw new ScimError(400, "invalidValue", `A PATCH has at most ${MOST_OPERATIONS} operations.`);
  if (Array.isArray(list) && !list.every(isObject))
    throw new ScimError(400, "invalidValue", "Each operation must be an object.");
  const values: Values = new Map();
  const roles: string[] = [];
  for (const { op, path, value } of model.readOperations({ schemas: message.schemas, Operations: list })) {
    const isRemoval = op.toLowerCase() === "remove";
    if (!isRemoval && value === undefined) throw new ScimError(400, "invalidValue", `${op} needs a value.`);
    if (path === undefined && !isObject(value))
      throw new ScimError(400, "invalidValue", "The value of an operation without a path must be an object.");
    const operation = path === undefined ? (value as Json) : { [readPath(path)]: isRemoval ? null : value };
    refusePassword(operation);
    collect(operation, values);
    const [roleName] = Object.keys(operation).filter((name) => /^roles\b/.test(attributeKey(name)));
    if (roleName !== undefined) roles.push(...rolesOf(operation[roleName]));
  }
  if (values.has("userName") && values.get("userName") === null)
    throw new ScimError(400, "invalidValue", "userName cannot be removed.");
  // The library wants a userName in every user.
  const given = model.readGiven({ userName: "unchanged", ...nested(values) });
  return {
    ...inputOf(given, values),
    ...(values.has("userName") && given.userName !== undefined ? { userName: given.userName } : {}),
    roles,
  };
}

/** Adds the values of attributes that are kept. */
function collect(attributes: Json, values: Values): void {
  for (const [name, value] of Object.entries(attributes)) {
    const key = attributeKey(name);
    const path = KNOWN.get(key);
    if (path !== undefined) values.set(path, path === "active" ? toBoolean(value) : value);
    else if (key === "name" && isObject(value))
      for (const [part, text] of Object.entries(value)) {
        const whole = KNOWN.get(`name.${part.toLowerCase()}`);
        if (whole !== undefined) values.set(whole, text);
      }
    else if (key === "name" && value !== null) throw new ScimError(400, "invalidValue", "name must be an object.");
  }
}

/** As objects within each other. */
function nested(values: Values): Record<string, unknown> {
  const name: Record<string, unknown> = {};
  const result: Record<string, unknown> = {};
  for (const [path, value] of values) {
    if (path.startsWith("name.")) name[path.slice(5)] = value;
    else result[path] = value;
  }
  return Object.keys(name).length === 0 ? result : { ...result, name };
}

/** A removed external id is none; a name and whether the person is active cannot be removed, and stay. */
function inputOf(
  { displayName, name, externalId, active }: Given,
  values: Values,
): Omit<ScimInput, "userName" | "roles"> {
  const both = [name?.givenName, name?.familyName].map((part) => part?.trim() ?? "");
  const whole = both.every((part) => part !== "") ? both.join(" ") : "";
  const chosen = [displayName, name?.formatted, whole].find((text) => text !== undefined && text.trim() !== "");
  return {
    ...(chosen === undefined ? {} : { name: chosen }),
    ...(values.has("externalId")
      ? { externalId: externalId === undefined || externalId === "" ? null : externalId }
      : {}),
    ...(active === undefined ? {} : { isActive: active }),
  };
}

/** Microsoft Entra sends booleans as texts. */
function toBoolean(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.toLowerCase();
  return text === "true" ? true : text === "false" ? false : value;
}

/** The names in a value of `roles`: a text, an object with a value, or a list of them. */
function rolesOf(value: unknown): string[] {
  return [value].flat().flatMap((role) => {
    const name = isObject(role) ? attributeOf(role, "value") : role;
    return typeof name === "string" ? [name] : [];
  });
}

/** A password that is set alone would seem to be set. @throws ScimError with status 400 */
function refusePassword(operation: Json): void {
  if (Object.keys(operation).some((name) => attributeKey(name) === "password"))
    throw new ScimError(400, "mutability", "Passwords cannot be set by SCIM.");
}

function readPath(path: string): string {
  const isKept = KNOWN.has(attributeKey(path).replace(/\[.*/s, ""));
  if (path.length > MOST_PATH || path.trim() === "" || (isKept && path.includes("[")))
    throw new ScimError(400, "invalidPath", "The path of an operation names no attribute.");
  return path;
}

function attributeOf(object: Json, name: string): unknown {
  const key = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

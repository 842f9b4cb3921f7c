import type { ScimFilter } from "../domain/people/scim-user.ts";
import { attributeKey } from "./model.ts";
import { ScimError } from "./scim-error.ts";

/** People in one answer at most. */
export const MOST_RESULTS = 100;
const MOST_SKIPPED = 1_000_000_000;
const MOST_CHARACTERS = 600;

/**
 * One comparison. Libraries take more, and most let a short filter run for minutes: the time of one doubles with each backslash in a
 * string that does not end, and with each group in parentheses.
 */
const FILTER =
  /^ *(?:urn:ietf:params:scim:schemas:core:2\.0:User:)?(userName|externalId) +eq +("(?:[^"\\]|\\["\\/])*") *$/i;

export interface Query {
  readonly filter: ScimFilter;
  /** From 1 on. */
  readonly startIndex: number;
  readonly count: number;
}

type Parameters = Readonly<Record<string, unknown>>;

/** Reads the parameters of a list (RFC 7644 section 3.4.2). @throws ScimError with status 400 */
export function readQuery(parameters: Parameters): Query {
  return {
    filter: readFilter(parameters.filter),
    startIndex: Math.max(1, readNumber(parameters.startIndex, "startIndex", 1)),
    count: Math.min(MOST_RESULTS, Math.max(0, readNumber(parameters.count, "count", MOST_RESULTS))),
  };
}

function readFilter(text: unknown): ScimFilter {
  if (text === undefined || text === "") return {};
  const [, attribute, literal] =
    (typeof text === "string" && text.length <= MOST_CHARACTERS && FILTER.exec(text)) || [];
  if (attribute === undefined || literal === undefined) {
    const message = 'Filters are userName eq "…" and externalId eq "…", with at most 600 characters.';
    throw new ScimError(400, "invalidFilter", message);
  }
  const value = textOf(literal);
  if (value.includes("\0") || !value.isWellFormed())
    throw new ScimError(400, "invalidFilter", "The text of the filter is not valid Unicode.");
  return attribute.toLowerCase() === "username" ? { email: value } : { externalId: value };
}

/** A JSON string (RFC 7644 section 3.4.2.2) without the escapes for control characters. */
function textOf(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}

function readNumber(text: unknown, name: string, otherwise: number): number {
  if (text === undefined || text === "") return otherwise;
  if (typeof text !== "string" || !/^[-+]?\d{1,10}$/.test(text))
    throw new ScimError(400, "invalidValue", `${name} must be a whole number.`);
  return Math.min(Number(text), MOST_SKIPPED);
}

/** Chooses the attributes of a resource that an answer has (RFC 7644 section 3.9), each with all below it. */
export type Choose = (resource: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** @throws ScimError with status 400 */
export function readChoice({ attributes, excludedAttributes }: Parameters): Choose {
  const [only, without] = [readNames(attributes, "attributes"), readNames(excludedAttributes, "excludedAttributes")];
  if (only === null && without === null) return (resource) => resource;
  return (resource) =>
    Object.fromEntries(
      Object.entries(resource).filter(([name]) => {
        if (name === "schemas" || name === "id") return true;
        const key = name.toLowerCase();
        return (only === null || only.has(key)) && !without?.has(key);
      }),
    );
}

function readNames(text: unknown, parameter: string): ReadonlySet<string> | null {
  if (text === undefined || text === "") return null;
  if (typeof text !== "string" || text.length > MOST_CHARACTERS)
    throw new ScimError(400, "invalidValue", `${parameter} must be names separated by commas.`);
  return new Set(text.split(",").map((name) => attributeKey(name.trim()).split(".", 1)[0] ?? ""));
}

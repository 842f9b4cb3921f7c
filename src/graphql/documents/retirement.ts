import {
  type DocumentNode,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  NoDeprecatedCustomRule,
} from "graphql";
import { validate } from "./validate.ts";

/** Headers for answers to documents that use what will go. */
export interface Retirement {
  /** When the first of it was deprecated: `@` and seconds of Unix time (RFC 9745). */
  readonly deprecation: string;
  /** When the first of it may be gone: an HTTP date (RFC 8594). */
  readonly sunset: string;
}

/** How `@deprecated(reason: …)` ends in schema.graphql: `… Since 2026-11-28, until 2027-11-28.` */
const DATES = /Since (\d{4}-\d\d-\d\d), until (\d{4}-\d\d-\d\d)\./;

const EVERY_ONE = { maxErrors: Number.POSITIVE_INFINITY, hideSuggestions: true };

/** @returns for a valid document what to tell of it; null where nothing it uses is deprecated */
export function openRetirement(schema: GraphQLSchema): (document: DocumentNode) => Retirement | null {
  if (listDeprecations(schema).length === 0) return () => null;
  return (document) => {
    const dates = validate(schema, document, [NoDeprecatedCustomRule], EVERY_ONE).map(({ message }) =>
      readDates(message),
    );
    if (dates.length === 0) return null;
    return {
      deprecation: `@${Math.min(...dates.map(({ since }) => since)) / 1_000}`,
      sunset: new Date(Math.min(...dates.map(({ until }) => until))).toUTCString(),
    };
  };
}

/** The reason of everything that is deprecated. */
export function listDeprecations(schema: GraphQLSchema): readonly string[] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith("__"))
    .flatMap((type): readonly { deprecationReason?: string | null | undefined }[] => {
      if (isEnumType(type)) return type.getValues();
      if (isInputObjectType(type)) return Object.values(type.getFields());
      if (!isObjectType(type) && !isInterfaceType(type)) return [];
      return Object.values(type.getFields()).flatMap((field) => [field, ...field.args]);
    })
    .flatMap(({ deprecationReason }) => deprecationReason ?? []);
}

/** Milliseconds of Unix time. @throws Error when the reason does not say them */
export function readDates(reason: string): { since: number; until: number } {
  const [, since = "", until = ""] = DATES.exec(reason) ?? [];
  const dates = { since: Date.parse(since), until: Date.parse(until) };
  if (!(dates.since < dates.until)) throw new Error(`A deprecation does not say from when until when: ${reason}`);
  return dates;
}

import type { RawBuilder, Updateable } from "kysely";
import type { SlotValues } from "../../domain/reading/selection.ts";
import { PLAIN_FIELDS, type PlainField, type WrittenPost } from "../../domain/reading/stored-fields.ts";
import { POST_COLUMNS } from "../database/columns.ts";
import type { Schema } from "../database/schema.ts";
import { param } from "../database/statement.ts";

type WrittenColumn = (typeof POST_COLUMNS)[PlainField];

/** A parameter for each column that has just what people write, from this slot on. Their values are `writtenValues`. */
export function writtenParams(slot: number): Readonly<Record<WrittenColumn, RawBuilder<never>>> {
  const columns = PLAIN_FIELDS.map((field, i) => [POST_COLUMNS[field], param<never>(slot + i)]);
  return Object.fromEntries(columns);
}

export function writtenValues(post: WrittenPost): SlotValues {
  return PLAIN_FIELDS.map((field) => post[field] ?? null);
}

/** The columns of the plain fields that a change gives. */
export function writtenColumns(change: Partial<WrittenPost>): Updateable<Pick<Schema["posts"], WrittenColumn>> {
  const given = PLAIN_FIELDS.filter((field) => change[field] !== undefined);
  return Object.fromEntries(given.map((field) => [POST_COLUMNS[field], change[field]]));
}

import type { RawBuilder, Updateable } from "kysely";
import type { SlotValues } from "../../domain/reading/selection.ts";
import { WRITABLE_FIELDS, type WritableField, type WrittenPost } from "../../domain/reading/stored-fields.ts";
import { POST_COLUMNS } from "../database/columns.ts";
import type { Schema } from "../database/schema.ts";
import { param } from "../database/statement.ts";

type WrittenColumn = (typeof POST_COLUMNS)[WritableField];

/** A parameter for the column of each field that people write, from this slot on. Their values are `writtenValues`. */
export function writtenParams(slot: number): Readonly<Record<WrittenColumn, RawBuilder<never>>> {
  const columns = WRITABLE_FIELDS.map((field, i) => [POST_COLUMNS[field], param<never>(slot + i)]);
  return Object.fromEntries(columns);
}

export function writtenValues(post: WrittenPost): SlotValues {
  return WRITABLE_FIELDS.map((field) => post[field] ?? null);
}

/** The columns of the fields that a change gives. */
export function writtenColumns(change: Partial<WrittenPost>): Updateable<Pick<Schema["posts"], WrittenColumn>> {
  const given = WRITABLE_FIELDS.filter((field) => change[field] !== undefined);
  return Object.fromEntries(given.map((field) => [POST_COLUMNS[field], change[field]]));
}

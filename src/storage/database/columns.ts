import { AppError } from "../../domain/errors.ts";
import { POST_FIELDS, STORED_FIELDS, type StoredField, USER_FIELDS } from "../../domain/reading/stored-fields.ts";
import type { Schema } from "./schema.ts";

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? "" : "_"}${Lowercase<Letter>}${SnakeCase<Rest>}`
  : "";

const USER_COLUMNS = namesOf(USER_FIELDS) satisfies Readonly<Record<string, keyof Schema["users"]>>;
/** The column of each stored field of a post: its name in snake case. */
export const POST_COLUMNS = namesOf(POST_FIELDS) satisfies Readonly<Record<string, keyof Schema["posts"]>>;

/** The column of a stored field, with the form of its values. */
export interface StoredColumn extends StoredField {
  readonly name: string;
}

const COLUMNS = {
  User: new Map(Object.entries(USER_COLUMNS).map(([field, name]) => [field, { ...STORED_FIELDS.User[field], name }])),
  Post: new Map(Object.entries(POST_COLUMNS).map(([field, name]) => [field, { ...STORED_FIELDS.Post[field], name }])),
} as Readonly<Record<"User" | "Post", ReadonlyMap<string, StoredColumn>>>;

/** @throws AppError INTERNAL for a field that is not stored */
export function columnOf(type: "User" | "Post", field: string): StoredColumn {
  const column = COLUMNS[type].get(field);
  if (column === undefined) throw new AppError("INTERNAL", `No column has the field ${type}.${field}.`);
  return column;
}

function namesOf<Name extends string>(fields: Readonly<Record<Name, unknown>>) {
  const names = Object.keys(fields).map((name) => [
    name,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]);
  return Object.fromEntries(names) as { readonly [N in Name]: SnakeCase<N> };
}

import { AppError } from "../../domain/errors.ts";
import {
  DELETED_POST_FIELDS,
  PLANNED_UPDATE_FIELDS,
  POST_FIELDS,
  PREVIEW_LINK_FIELDS,
  REVISION_FIELDS,
  STORED_FIELDS,
  type StoredField,
  type StoredType,
  USER_FIELDS,
  WORKING_COPY_FIELDS,
} from "../../domain/reading/stored-fields.ts";
import type { Schema } from "./schema.ts";

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? "" : "_"}${Lowercase<Letter>}${SnakeCase<Rest>}`
  : "";

const USER_COLUMNS = namesOf(USER_FIELDS) satisfies Readonly<Record<string, keyof Schema["users"]>>;
/** The column of each stored field of a post: its name in snake case. */
export const POST_COLUMNS = namesOf(POST_FIELDS) satisfies Readonly<Record<string, keyof Schema["posts"]>>;

const WORKING_COPY_COLUMNS = namesOf(WORKING_COPY_FIELDS) satisfies Readonly<
  Record<string, keyof Schema["post_working_copies"]>
>;
const REVISION_COLUMNS = namesOf(REVISION_FIELDS) satisfies Readonly<Record<string, keyof Schema["post_revisions"]>>;
const PLANNED_UPDATE_COLUMNS = namesOf(PLANNED_UPDATE_FIELDS) satisfies Readonly<
  Record<string, keyof Schema["post_planned_updates"]>
>;
const PREVIEW_LINK_COLUMNS = namesOf(PREVIEW_LINK_FIELDS) satisfies Readonly<
  Record<string, keyof Schema["preview_links"]>
>;
const DELETED_POST_COLUMNS = namesOf(DELETED_POST_FIELDS) satisfies Readonly<
  Record<string, keyof Schema["deleted_posts"]>
>;

/** The column of a stored field, with the form of its values. */
export interface StoredColumn extends StoredField {
  readonly name: string;
}

const COLUMNS: Readonly<Record<StoredType, ReadonlyMap<string, StoredColumn>>> = {
  User: columnsOf("User", USER_COLUMNS),
  Post: columnsOf("Post", POST_COLUMNS),
  WorkingCopy: columnsOf("WorkingCopy", WORKING_COPY_COLUMNS),
  PostRevision: columnsOf("PostRevision", REVISION_COLUMNS),
  PlannedUpdate: columnsOf("PlannedUpdate", PLANNED_UPDATE_COLUMNS),
  PreviewLink: columnsOf("PreviewLink", PREVIEW_LINK_COLUMNS),
  DeletedPost: columnsOf("DeletedPost", DELETED_POST_COLUMNS),
};

/** @throws AppError INTERNAL for a field that is not stored */
export function columnOf(type: StoredType, field: string): StoredColumn {
  const column = COLUMNS[type].get(field);
  if (column === undefined) throw new AppError("INTERNAL", `No column has the field ${type}.${field}.`);
  return column;
}

function columnsOf(type: StoredType, names: Readonly<Record<string, string>>): Map<string, StoredColumn> {
  const fields: Readonly<Record<string, StoredField | undefined>> = STORED_FIELDS[type];
  return new Map(
    Object.entries(names).map(([field, name]) => [field, { ...(fields[field] ?? { json: "plain" }), name }]),
  );
}

function namesOf<Name extends string>(fields: Readonly<Record<Name, unknown>>) {
  const names = Object.keys(fields).map((name) => [
    name,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]);
  return Object.fromEntries(names) as { readonly [N in Name]: SnakeCase<N> };
}

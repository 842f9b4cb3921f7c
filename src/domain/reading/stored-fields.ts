/**
 * A field of GraphQL whose value is stored in the row of its object. The column has the name of the field in snake case.
 * The planner, the SQL that reads and writes, and the rules for what people write derive from these tables.
 */
export interface StoredField {
  /**
   * The value in JSON. `text` is a string that needs escaping. `plain` is a string that needs none, because the server makes
   * it: an id, a time, a status. `boolean` is 1 or 0 in the column.
   */
  readonly json: "text" | "plain" | "integer" | "boolean";
  /**
   * The value where the column is NULL, or empty for `plain`: null, a literal, or the value of another field. Without it,
   * every row has a value.
   */
  readonly ifMissing?: null | "" | 0 | { readonly field: string };
  /** Whether people set it with createPost and updatePost. A rule beyond `length` stands in `domain/posts`. */
  readonly isWritable?: true;
  /** In code points. */
  readonly length?: { readonly min: number; readonly max: number };
}

type Fields = Readonly<Record<string, StoredField>>;

export const USER_FIELDS = {
  id: { json: "plain" },
  name: { json: "text" },
  email: { json: "text" },
  emailVerified: { json: "boolean" },
  createdAt: { json: "plain" },
  updatedAt: { json: "plain", ifMissing: { field: "createdAt" } },
  version: { json: "integer" },
} as const satisfies Fields;

export const POST_FIELDS = {
  id: { json: "plain" },
  title: { json: "text", isWritable: true, length: { min: 1, max: 300 } },
  body: { json: "text", isWritable: true, length: { min: 0, max: 1_048_576 } },
  // Posts from before there were derived fields have none until `renderOldPosts` has made them.
  bodyHtml: { json: "text", ifMissing: "" },
  excerpt: { json: "text", ifMissing: "" },
  slug: { json: "text", ifMissing: { field: "id" } },
  wordCount: { json: "integer", ifMissing: 0 },
  status: { json: "plain" },
  createdAt: { json: "plain" },
  updatedAt: { json: "plain" },
  publishedAt: { json: "plain", ifMissing: null },
  /** RFC 3339, UTC, milliseconds. */
  publishAt: { json: "plain", ifMissing: null, isWritable: true },
  version: { json: "integer" },
} as const satisfies Fields;

export type UserColumn = keyof typeof USER_FIELDS;
export type PostColumn = keyof typeof POST_FIELDS;

/** The fields of each type. */
export const STORED_FIELDS: Readonly<Record<"User" | "Post", Fields>> = { User: USER_FIELDS, Post: POST_FIELDS };

export function isUserColumn(name: string): name is UserColumn {
  return Object.hasOwn(USER_FIELDS, name);
}

export function isPostColumn(name: string): name is PostColumn {
  return Object.hasOwn(POST_FIELDS, name);
}

type PostFields = typeof POST_FIELDS;
type Value<Name extends PostColumn> = PostFields[Name] extends { readonly json: "integer" } ? number : string;

/** A field of a post that people write. */
export type WritableField = {
  [Name in PostColumn]: PostFields[Name] extends { readonly isWritable: true } ? Name : never;
}[PostColumn];
type OptionalField = {
  [Name in WritableField]: PostFields[Name] extends { readonly ifMissing: null } ? Name : never;
}[WritableField];

/** In the order of the table. */
export const WRITABLE_FIELDS = Object.keys(POST_FIELDS).filter(
  (name): name is WritableField => STORED_FIELDS.Post[name]?.isWritable === true,
);

/** Fields that people write in a new post. */
export type WrittenPost = { readonly [Name in Exclude<WritableField, OptionalField>]: Value<Name> } & {
  readonly [Name in OptionalField]?: Value<Name> | null;
};

/** Fields that people write to change a post. Omitted fields keep their value. */
export type PostInput = { readonly [Name in WritableField]?: Value<Name> | null };

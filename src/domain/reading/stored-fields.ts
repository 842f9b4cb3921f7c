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
  /**
   * Whether people set it with createPost and updatePost. A rule beyond `length` stands in `domain/posts`. `or-derived`: null leaves the
   * value to the server, which derives it, and storage remembers which of the two it is.
   */
  readonly isWritable?: true | "or-derived";
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
  excerpt: { json: "text", ifMissing: "", isWritable: "or-derived", length: { min: 0, max: 300 } },
  slug: { json: "text", ifMissing: { field: "id" }, isWritable: "or-derived", length: { min: 1, max: 100 } },
  wordCount: { json: "integer", ifMissing: 0 },
  status: { json: "plain" },
  createdAt: { json: "plain" },
  updatedAt: { json: "plain" },
  publishedAt: { json: "plain", ifMissing: null },
  /** RFC 3339, UTC, milliseconds. */
  publishAt: { json: "plain", ifMissing: null, isWritable: true },
  /** IANA name. */
  publishAtZone: { json: "plain", ifMissing: null, isWritable: true },
  version: { json: "integer" },
} as const satisfies Fields;

/** `WorkingCopy` of the schema. */
export const WORKING_COPY_FIELDS = {
  title: { json: "text" },
  body: { json: "text" },
  slug: { json: "text", ifMissing: null },
  excerpt: { json: "text", ifMissing: null },
  version: { json: "integer" },
  baseVersion: { json: "integer" },
  updatedAt: { json: "plain" },
} as const satisfies Fields;

export const REVISION_FIELDS = {
  id: { json: "plain" },
  version: { json: "integer" },
  kind: { json: "plain" },
  createdAt: { json: "plain" },
  status: { json: "plain" },
  title: { json: "text", ifMissing: null },
  body: { json: "text", ifMissing: null },
  slug: { json: "text", ifMissing: null },
  excerpt: { json: "text", ifMissing: null },
  clientId: { json: "text", ifMissing: null },
  name: { json: "text", ifMissing: null },
} as const satisfies Fields;

/** `PlannedUpdate` of the schema. */
export const PLANNED_UPDATE_FIELDS = {
  publishAt: { json: "plain" },
  publishAtZone: { json: "plain", ifMissing: null },
  heldBecause: { json: "plain", ifMissing: null },
  title: { json: "text" },
  body: { json: "text" },
  slug: { json: "text", ifMissing: null },
  excerpt: { json: "text", ifMissing: null },
  workingVersion: { json: "integer" },
  baseVersion: { json: "integer" },
  plannedAt: { json: "plain" },
} as const satisfies Fields;

export const PREVIEW_LINK_FIELDS = {
  id: { json: "plain" },
  createdAt: { json: "plain" },
  expiresAt: { json: "plain" },
  lastUsedAt: { json: "plain", ifMissing: null },
  revision: { json: "plain", ifMissing: null },
} as const satisfies Fields;

/** `DeletedPost` of the schema. */
export const DELETED_POST_FIELDS = {
  id: { json: "plain" },
  title: { json: "text" },
  body: { json: "text" },
  status: { json: "plain" },
  version: { json: "integer" },
  createdAt: { json: "plain" },
  deletedAt: { json: "plain" },
} as const satisfies Fields;

export type UserColumn = keyof typeof USER_FIELDS;
export type PostColumn = keyof typeof POST_FIELDS;
export type WorkingCopyColumn = keyof typeof WORKING_COPY_FIELDS;
export type RevisionColumn = keyof typeof REVISION_FIELDS;
export type PlannedUpdateColumn = keyof typeof PLANNED_UPDATE_FIELDS;
export type PreviewLinkColumn = keyof typeof PREVIEW_LINK_FIELDS;
export type DeletedPostColumn = keyof typeof DELETED_POST_FIELDS;

/** A type of the schema with stored fields. */
export type StoredType =
  | "User"
  | "Post"
  | "WorkingCopy"
  | "PostRevision"
  | "PlannedUpdate"
  | "PreviewLink"
  | "DeletedPost";

/** The fields of each type. */
export const STORED_FIELDS: Readonly<Record<StoredType, Fields>> = {
  User: USER_FIELDS,
  Post: POST_FIELDS,
  WorkingCopy: WORKING_COPY_FIELDS,
  PostRevision: REVISION_FIELDS,
  PlannedUpdate: PLANNED_UPDATE_FIELDS,
  PreviewLink: PREVIEW_LINK_FIELDS,
  DeletedPost: DELETED_POST_FIELDS,
};

export function isUserColumn(name: string): name is UserColumn {
  return Object.hasOwn(USER_FIELDS, name);
}

export function isPostColumn(name: string): name is PostColumn {
  return Object.hasOwn(POST_FIELDS, name);
}

export function isWorkingCopyColumn(name: string): name is WorkingCopyColumn {
  return Object.hasOwn(WORKING_COPY_FIELDS, name);
}

export function isRevisionColumn(name: string): name is RevisionColumn {
  return Object.hasOwn(REVISION_FIELDS, name);
}

export function isPlannedUpdateColumn(name: string): name is PlannedUpdateColumn {
  return Object.hasOwn(PLANNED_UPDATE_FIELDS, name);
}

export function isPreviewLinkColumn(name: string): name is PreviewLinkColumn {
  return Object.hasOwn(PREVIEW_LINK_FIELDS, name);
}

export function isDeletedPostColumn(name: string): name is DeletedPostColumn {
  return Object.hasOwn(DELETED_POST_FIELDS, name);
}

type PostFields = typeof POST_FIELDS;
type Value<Name extends PostColumn> = PostFields[Name] extends { readonly json: "integer" } ? number : string;

/** A field of a post that people write. */
export type WritableField = {
  [Name in PostColumn]: PostFields[Name] extends { readonly isWritable: true | "or-derived" } ? Name : never;
}[PostColumn];
/** One whose column has just what people write. */
export type PlainField = {
  [Name in WritableField]: PostFields[Name] extends { readonly isWritable: true } ? Name : never;
}[WritableField];
type OptionalField = {
  [Name in WritableField]: PostFields[Name] extends { readonly ifMissing: unknown } ? Name : never;
}[WritableField];

/** In the order of the table. */
export const WRITABLE_FIELDS = Object.keys(POST_FIELDS).filter(
  (name): name is WritableField => STORED_FIELDS.Post[name]?.isWritable !== undefined,
);

export const PLAIN_FIELDS = WRITABLE_FIELDS.filter(
  (name): name is PlainField => STORED_FIELDS.Post[name]?.isWritable === true,
);

/** Fields that people write in a new post. */
export type WrittenPost = { readonly [Name in Exclude<WritableField, OptionalField>]: Value<Name> } & {
  readonly [Name in OptionalField]?: Value<Name> | null;
};

/** Fields that people write to change a post. Omitted fields keep their value. */
export type PostInput = { readonly [Name in WritableField]?: Value<Name> | null };

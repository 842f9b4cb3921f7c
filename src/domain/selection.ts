/**
 * What is to be read: the tree that the GraphQL floor hands to storage, which turns it into one statement that
 * returns finished JSON. The tree is made once per document; what varies per request is bound to slots.
 */

/** Stands for a value that each request brings: the index into the list of values given to `PreparedRead.run`. */
export interface Slot {
  readonly slot: number;
}

/** The values of one request, by slot. null binds as SQL NULL. */
export type SlotValues = readonly (string | number | boolean | null)[];

export type UserColumn = "id" | "name" | "email";
export type PostColumn = "id" | "title" | "body" | "createdAt";

/** One entry of an object in the answer; `key` is its response key. Entries keep their order. */
type Field<Column extends string, Link> =
  | { readonly kind: "column"; readonly key: string; readonly column: Column }
  /** A value known when the document was planned: `__typename`. */
  | { readonly kind: "constant"; readonly key: string; readonly value: string }
  | ({ readonly key: string } & Link);

export interface UserSelection {
  readonly type: "User";
  readonly fields: readonly Field<UserColumn, { readonly kind: "posts" } & PostList>[];
}

export interface PostSelection {
  readonly type: "Post";
  readonly fields: readonly Field<PostColumn, { readonly kind: "author"; readonly selection: UserSelection }>[];
}

/** Posts newest first, ties broken by id, both descending. */
export interface PostList {
  readonly selection: PostSelection;
  /** How many at the most: a whole number from 0, already checked against the page limit. */
  readonly first: Slot;
}

/** What one root field reads. A missing object is `null`; a list is always there. */
export type RootSelection =
  | { readonly kind: "user"; readonly id: Slot; readonly selection: UserSelection }
  | { readonly kind: "post"; readonly id: Slot; readonly selection: PostSelection }
  | ({ readonly kind: "posts" } & PostList);

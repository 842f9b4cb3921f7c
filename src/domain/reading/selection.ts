import type { PostStatus } from "../post-status.ts";
import type {
  DeletedPostColumn,
  PlannedUpdateColumn,
  PostColumn,
  PreviewLinkColumn,
  RevisionColumn,
  UserColumn,
  WorkingCopyColumn,
} from "./stored-fields.ts";

/**
 * A read: the tree that the GraphQL floor hands to storage, which turns it into one statement that
 * returns finished JSON. The tree is made once per document; what varies per request is bound to slots.
 */

/** Stands for a value that each request brings: the index into the list of values given to `PreparedRead.run`. */
export interface Slot {
  readonly slot: number;
}

/** The values of one request, by slot. null binds as SQL NULL. */
export type SlotValues = readonly (string | number | boolean | null)[];

/** A value known when the document was planned: `__typename`. */
interface Constant {
  readonly kind: "constant";
  readonly key: string;
  readonly value: string;
}

/** One entry of an object in the answer; `key` is its response key. Entries keep their order. */
type Field<Column extends string, Link> =
  | { readonly kind: "column"; readonly key: string; readonly column: Column }
  | Constant
  | ({ readonly key: string } & Link);

export interface UserSelection {
  readonly type: "User";
  readonly fields: readonly Field<
    UserColumn,
    ({ readonly kind: "posts" } & PostList) | ({ readonly kind: "postsConnection" } & PostConnection)
  >[];
}

export interface PostSelection {
  readonly type: "Post";
  readonly fields: readonly Field<
    PostColumn,
    | { readonly kind: "author"; readonly selection: UserSelection }
    /** Whether the viewer may change the post. Everybody else finds no working copy, no planned update and no revisions. */
    | { readonly kind: "viewerCanUpdate" }
    | { readonly kind: "workingCopy"; readonly selection: WorkingCopySelection }
    | { readonly kind: "plannedUpdate"; readonly selection: PlannedUpdateSelection }
    | ({ readonly kind: "revisions" } & RevisionConnection)
    /** The template with its `{slug}` and `{id}` replaced; null without one. */
    | { readonly kind: "url"; readonly template: string | null }
    /** Preview links that are good now, newest first; none where the viewer (`RootSelection.viewer`) may not change the post. */
    | { readonly kind: "previewLinks"; readonly selection: PreviewLinkSelection }
  >[];
}

/** Something that a post has, and the person who made it: null for nobody, and for one whose account is deleted. */
export interface PartSelection<Type extends string, Column extends string> {
  readonly type: Type;
  readonly fields: readonly Field<Column, { readonly kind: "person"; readonly selection: UserSelection }>[];
}

export type WorkingCopySelection = PartSelection<"WorkingCopy", WorkingCopyColumn>;
export type RevisionSelection = PartSelection<"PostRevision", RevisionColumn>;
export type PreviewLinkSelection = PartSelection<"PreviewLink", PreviewLinkColumn>;
export type PlannedUpdateSelection = PartSelection<"PlannedUpdate", PlannedUpdateColumn>;
export type PostPartSelection =
  | WorkingCopySelection
  | PlannedUpdateSelection
  | RevisionSelection
  | PreviewLinkSelection;

export interface DeletedPostSelection {
  readonly type: "DeletedPost";
  readonly fields: readonly Field<
    DeletedPostColumn,
    { readonly kind: "author" | "person"; readonly selection: UserSelection }
  >[];
}

/** A place between two rows of a list: just past the row with this key and id, which need not exist any more. */
interface Position {
  readonly key: Slot;
  readonly id: Slot;
}

/** Ties are broken by id, in the same direction. */
export interface Order<Key extends string> {
  readonly by: Key;
  readonly descending: boolean;
}

/**
 * `relevance` needs a search: posts with all the words in their title first, the newest first among equals. `publishAt` needs
 * `PostFilter.isScheduled`.
 */
export type PostOrderKey = "createdAt" | "updatedAt" | "publishedAt" | "publishAt" | "title" | "relevance";
export type UserOrderKey = "createdAt" | "name";

/** Which part of a list. Without an order, newest first. */
export interface Page<Key extends string> {
  /** Limit of entries: a whole number from 0, already checked against the page limit. */
  readonly first: Slot;
  readonly order?: Order<Key>;
  readonly after?: Position;
  readonly before?: Position;
}

/** Omitted filters select all. Times are RFC 3339, UTC, milliseconds. Each range includes its beginning, not its end. */
export interface PostFilter {
  /** Defaults to published. Unpublished posts are visible as `RootSelection.viewer` says. */
  readonly statuses?: readonly PostStatus[];
  readonly author?: Slot;
  readonly createdFrom?: Slot;
  readonly createdUntil?: Slot;
  readonly updatedFrom?: Slot;
  readonly updatedUntil?: Slot;
  /** Whether they have a `publishAt`. True: also published posts with a planned update that the viewer may change. */
  readonly isScheduled?: boolean;
  readonly publishFrom?: Slot;
  readonly publishUntil?: Slot;
  /** Words in the form of `searchWords`. If very many posts match, only the newest 10,000 are read. */
  readonly search?: Slot;
  /** Posts that the viewer may not change have none. */
  readonly hasWorkingCopy?: boolean;
}

export interface PostList extends Page<PostOrderKey> {
  readonly selection: PostSelection;
  readonly filter?: PostFilter;
}

export interface UserList extends Page<UserOrderKey> {
  readonly selection: UserSelection;
}

/** A list with what is needed to walk it: https://relay.dev/graphql/connections.htm */
interface Connection<Selection> {
  /** The list and the order, to which its cursors belong: see cursor.ts. */
  readonly list: string;
  /** The last ones instead of the first ones, in the same order. */
  readonly fromEnd?: true;
  readonly fields: readonly ConnectionField<Selection>[];
}

export type ConnectionField<Selection> =
  | Constant
  | { readonly kind: "nodes"; readonly key: string; readonly selection: Selection }
  | { readonly kind: "edges"; readonly key: string; readonly fields: readonly EdgeField<Selection>[] }
  | { readonly kind: "pageInfo"; readonly key: string; readonly fields: readonly PageInfoField[] }
  | { readonly kind: "totalCount"; readonly key: string }
  /** As far as `upTo`, and one more where there are more. */
  | { readonly kind: "boundedCount"; readonly key: string; readonly upTo: Slot };

export type EdgeField<Selection> =
  | Constant
  | { readonly kind: "node"; readonly key: string; readonly selection: Selection }
  | { readonly kind: "cursor"; readonly key: string }
  /** HTML: a piece of the body with the words that were searched for in `<mark>`; null without a search. */
  | { readonly kind: "highlight"; readonly key: string };

export type PageInfoField =
  | Constant
  | {
      readonly kind: "hasNextPage" | "hasPreviousPage" | "startCursor" | "endCursor";
      readonly key: string;
    };

export interface PostConnection extends Page<PostOrderKey>, Connection<PostSelection> {
  readonly filter?: PostFilter;
}

export interface UserConnection extends Page<UserOrderKey>, Connection<UserSelection> {}

export interface RevisionConnection extends Page<"createdAt">, Connection<RevisionSelection> {}

/** Deleted posts that the viewer may restore. */
export interface DeletedPostConnection extends Page<"deletedAt">, Connection<DeletedPostSelection> {}

/** An object of either type, found by its id. */
interface NodeSelection {
  readonly user: UserSelection;
  readonly post: PostSelection;
}

/** The read of one root field. A missing object is `null`; a list is always there. */
export type RootSelection = {
  /**
   * Whose unpublished posts are seen beside the published ones: a person's id, ALL for everybody's, null for nobody's.
   * Defaults to nobody's. Invisible posts do not exist.
   */
  readonly viewer?: Slot;
  /** Filled with the time at which it is read, where the answer depends on it: RFC 3339, whole seconds. */
  readonly now?: Slot;
} & (
  | { readonly kind: "user"; readonly id: Slot; readonly selection: UserSelection }
  | { readonly kind: "post"; readonly id: Slot; readonly selection: PostSelection }
  /** The working copy of the post with this id. */
  | { readonly kind: "workingCopy"; readonly id: Slot; readonly selection: WorkingCopySelection }
  /** By its slug, or one that it had while it was published. */
  | { readonly kind: "postBySlug"; readonly slug: Slot; readonly selection: PostSelection }
  /** Needs no permission: the id comes from the token of the link. */
  | { readonly kind: "previewLink"; readonly id: Slot; readonly selection: PreviewLinkSelection }
  | ({ readonly kind: "node"; readonly id: Slot } & NodeSelection)
  /** `ids` is a JSON array of strings; the answer has an entry, perhaps null, for each. */
  | ({ readonly kind: "nodes"; readonly ids: Slot; readonly count: Slot } & NodeSelection)
  | ({ readonly kind: "posts" } & PostList)
  | ({ readonly kind: "postsConnection" } & PostConnection)
  | ({ readonly kind: "deletedPosts" } & DeletedPostConnection)
  | ({ readonly kind: "users" } & UserList)
  | ({ readonly kind: "usersConnection" } & UserConnection)
);

/** Links of one post that are good at a time. */
export const MAX_PREVIEW_LINKS = 20;

/** As a value of `RootSelection.viewer`. No id looks like it. */
export const ALL = "*";

import { type Expression, type RawBuilder, sql } from "kysely";
import type { PostStatus } from "../../domain/post-status.ts";
import type {
  DeletedPostConnection,
  Order,
  Page,
  PostFilter,
  PostOrderKey,
  RevisionConnection,
  Slot,
  UserOrderKey,
} from "../../domain/reading/selection.ts";
import { limitParam, param } from "../database/statement.ts";
import { aliased, column } from "./read-pieces.ts";
import {
  CANDIDATES,
  type Condition,
  filterConditions,
  isOfPlanned,
  mayChange,
  ofStatus,
  plannedTime,
  type ReadContext,
} from "./row-conditions.ts";

const NEWEST_FIRST = { by: "createdAt", descending: true } as const;

const KEYS = {
  createdAt: "created_at",
  updatedAt: "updated_at",
  publishedAt: "published_at",
  publishAt: "publish_at",
  deletedAt: "deleted_at",
  title: "title",
  name: "name",
} as const;

type ListTable = "posts" | "users" | "post_revisions" | "deleted_posts";

/** The aliases of tables begin with these. */
const LETTERS: Readonly<Record<ListTable, string>> = {
  posts: "p",
  users: "u",
  post_revisions: "h",
  deleted_posts: "d",
};

type Key = PostOrderKey | UserOrderKey | "deletedAt";
/** Some rows of a list. No row is in two branches. */
interface Branch {
  readonly conditions: (row: string) => readonly Condition[];
  /** SQL for what the list is ordered by, where that is not a column of the row. */
  readonly key?: (row: string) => RawBuilder<string>;
}
type Part<By extends string> = Page<By> & { readonly fromEnd?: true };

/** A list of rows of one table, whole or in part, as SQL. */
export class Rows {
  readonly #context: ReadContext;
  readonly #table: ListTable;
  readonly #page: Part<Key>;
  readonly #order: Order<Key>;
  readonly #search: Slot | null;
  readonly #branches: readonly Branch[];

  private constructor(
    context: ReadContext,
    table: ListTable,
    page: Part<Key>,
    branches: readonly Branch[],
    search: Slot | null = null,
  ) {
    this.#context = context;
    this.#table = table;
    this.#page = page;
    this.#order = page.order ?? NEWEST_FIRST;
    this.#branches = branches;
    this.#search = search;
  }

  static users(context: ReadContext, page: Part<UserOrderKey>): Rows {
    return new Rows(context, "users", page, [{ conditions: () => [] }]);
  }

  /** @param post alias of the row of the post */
  static revisions(context: ReadContext, page: RevisionConnection, post: string): Rows {
    const mayRead = mayChange(context, post);
    const conditions = (row: string) => [
      sql`${column(row, "post_id")} = ${column(post, "id")}`,
      ...(mayRead === null ? [] : [mayRead]),
    ];
    return new Rows(context, "post_revisions", page, [{ conditions }]);
  }

  static deletedPosts(context: ReadContext, page: DeletedPostConnection): Rows {
    const conditions = (row: string) => {
      const own = mayChange(context, row);
      return [sql`${column(row, "title")} is not null`, ...(own === null ? [] : [own])]; // as the indexes have it
    };
    return new Rows(context, "deleted_posts", page, [{ conditions }]);
  }

  /** A branch for each status: in one alone, an index has the rows in order. */
  static posts(
    context: ReadContext,
    list: Part<PostOrderKey> & { readonly filter?: PostFilter },
    author: Expression<string> | null,
  ): Rows {
    const filter = list.filter ?? {};
    const branches = Array.from(new Set<PostStatus>(filter.statuses ?? ["PUBLISHED"]), (status): Branch => {
      const conditions = (post: string) => [
        ...ofStatus(context, filter, status, post),
        ...(author === null ? [] : [sql`${column(post, "author_id")} = ${author}`]),
        ...filterConditions(context, filter, status, post),
      ];
      const isByPlan = isOfPlanned(filter, status) && list.order?.by === "publishAt";
      return isByPlan ? { conditions, key: (post) => plannedTime(context, post) } : { conditions };
    });
    const some = branches.length > 0 ? branches : [{ conditions: () => [sql`1 = 0`] }];
    return new Rows(context, "posts", list, some, filter.search ?? null);
  }

  /**
   * The page in the order of walking: from the end where it is the last rows that are asked for.
   *
   * @param more one row more than the page, which tells whether there is more
   * @param withKey adds the column `order_key`
   */
  page(columns: readonly string[], more: 0 | 1, withKey: boolean): RawBuilder<unknown> {
    const { alias } = this.#context;
    const direction = sql.raw(this.#order.descending === (this.#page.fromEnd === true) ? "" : " desc");
    const limit = sql`limit ${this.#context.limit(this.#page.first.slot, more)}`;
    const parts = this.#branches.map((branch) => {
      const row = alias(LETTERS[this.#table]);
      const key = this.#key(row, branch);
      const selected = columns.map((name) => column(row, name));
      if (withKey || this.#branches.length > 1) selected.push(sql`${key} as order_key`);
      const conditions = [...branch.conditions(row), ...this.#bounds(row, branch)];
      return sql`select ${sql.join(selected)} from ${aliased(this.#table, row)}${where(conditions)} order by ${key}${direction}, ${column(row, "id")}${direction} ${limit}`;
    });
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0) return only;
    const all = sql.join(
      parts.map((part) => sql`select * from (${part}) as ${sql.table(alias("b"))}`),
      sql` union all `,
    );
    return sql`select * from (${all}) as ${sql.table(alias("a"))} order by order_key${direction}, id${direction} ${limit}`;
  }

  /** SQL for the number of rows, whatever the page. */
  count(): RawBuilder<number> {
    const counts = this.#branches.map((branch) => {
      const row = this.#context.alias("n");
      return sql`(select count(*) from ${aliased(this.#table, row)}${where(branch.conditions(row))})`;
    });
    return sql<number>`${sql.join(counts, sql` + `)}`;
  }

  /** SQL for the number of rows as far as a limit, and one more where there are more. */
  countUpTo(upTo: Slot): RawBuilder<number> {
    const { alias } = this.#context;
    const limit = sql`limit ${limitParam(upTo.slot)} + 1`;
    const parts = this.#branches.map((branch) => {
      const row = alias("n");
      const some = sql`select 1 as one from ${aliased(this.#table, row)}${where(branch.conditions(row))} ${limit}`;
      return sql`select * from (${some}) as ${sql.table(alias("b"))}`;
    });
    const all = sql`select * from (${sql.join(parts, sql` union all `)}) as ${sql.table(alias("a"))} ${limit}`;
    return sql<number>`(select count(*) from (${all}) as ${sql.table(alias("c"))})`;
  }

  /** SQL that says whether there are rows before what `after` begins with, or after what `before` ends with; null for no. */
  isCutOff(side: "after" | "before"): RawBuilder<boolean> | null {
    const position = this.#page[side];
    if (position === undefined) return null;
    const operator = (side === "after") === this.#order.descending ? ">=" : "<=";
    const found = this.#branches.map((branch) => {
      const row = this.#context.alias("x");
      const conditions = [...branch.conditions(row), this.#compare(row, branch, operator, position)];
      return sql`exists (select 1 from ${aliased(this.#table, row)}${where(conditions)})`;
    });
    return sql<boolean>`(${sql.join(found, sql` or `)})`;
  }

  #bounds(row: string, branch: Branch): Condition[] {
    const { after, before } = this.#page;
    const { descending } = this.#order;
    const bounds: Condition[] = [];
    if (after !== undefined) bounds.push(this.#compare(row, branch, descending ? "<" : ">", after));
    if (before !== undefined) bounds.push(this.#compare(row, branch, descending ? ">" : "<", before));
    return bounds;
  }

  #compare(
    row: string,
    branch: Branch,
    operator: "<" | ">" | "<=" | ">=",
    { key, id }: { key: Slot; id: Slot },
  ): Condition {
    return sql`(${this.#key(row, branch)}, ${column(row, "id")}) ${sql.raw(operator)} (${param(key.slot)}, ${param(id.slot)})`;
  }

  #key(row: string, { key }: Branch): RawBuilder<string> {
    if (key !== undefined) return key(row);
    const { by } = this.#order;
    if (by !== "relevance") return column(row, KEYS[by]);
    if (this.#search === null) return column(row, KEYS.createdAt);
    const isInTitle = this.#context.dialect.search.isInTitle(row, param(this.#search.slot), CANDIDATES);
    return sql<string>`((case when ${isInTitle} then '1' else '0' end) || ${column(row, KEYS.createdAt)})`;
  }
}

function where(conditions: readonly Condition[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
}

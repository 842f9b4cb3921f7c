import { type Expression, type RawBuilder, sql } from "kysely";
import type { Order, Page, PostFilter, PostOrderKey, Slot, UserOrderKey } from "../../domain/reading/selection.ts";
import type { Dialect } from "../database/database.ts";
import type { ContentTable } from "../database/schema.ts";
import { param } from "../database/statement.ts";
import { aliased, column } from "./read-pieces.ts";

/** Limit: posts that a search sorts. Matches of a very common word are not sorted completely. */
const CANDIDATES = 10_000;

const NEWEST_FIRST = { by: "createdAt", descending: true } as const;

const KEYS = { createdAt: "created_at", updatedAt: "updated_at", publishedAt: "published_at", name: "name" } as const;

/** SQL for a limit: of what stands in a slot, and so many more. */
export type Limit = (slot: number, more: 0 | 1) => RawBuilder<number>;

/** The context of a statement. */
export interface ReadContext {
  readonly dialect: Dialect;
  readonly limit: Limit;
  readonly viewer: Slot | null;
  /** Whether the viewer is one who sees everybody's unpublished posts. */
  readonly seesAll: boolean;
  /** A name that nothing else in the statement has. */
  readonly alias: (letter: string) => string;
}

type Condition = RawBuilder<unknown>;

type Key = PostOrderKey | UserOrderKey;
type Part<By extends string> = Page<By> & { readonly fromEnd?: true };

/** A list of rows of one table, whole or in part, as SQL. */
export class Rows {
  readonly #context: ReadContext;
  readonly #table: ContentTable;
  readonly #page: Part<Key>;
  readonly #order: Order<Key>;
  readonly #search: Slot | null;
  /** Conditions for the rows: each branch returns some of them, and no row comes twice. */
  readonly #branches: readonly ((row: string) => readonly Condition[])[];

  private constructor(
    context: ReadContext,
    table: ContentTable,
    page: Part<Key>,
    branches: readonly ((row: string) => readonly Condition[])[],
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
    return new Rows(context, "users", page, [() => []]);
  }

  /** A branch for each status: in one alone, an index has the rows in order. */
  static posts(
    context: ReadContext,
    list: Part<PostOrderKey> & { readonly filter?: PostFilter },
    author: Expression<string> | null,
  ): Rows {
    const filter = list.filter ?? {};
    const branches = Array.from(new Set(filter.statuses ?? ["PUBLISHED"]), (status) => (post: string) => [
      sql`${column(post, "status")} = ${sql.lit(status)}`,
      ...(status === "PUBLISHED" ? [] : unpublished(context, post)),
      ...(author === null ? [] : [sql`${column(post, "author_id")} = ${author}`]),
      ...filterConditions(context.dialect, filter, post),
    ]);
    const some = branches.length > 0 ? branches : [() => [sql`1 = 0`]];
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
      const row = alias(this.#table === "posts" ? "p" : "u");
      const key = this.#key(row);
      const selected = columns.map((name) => column(row, name));
      if (withKey || this.#branches.length > 1) selected.push(sql`${key} as order_key`);
      const conditions = [...branch(row), ...this.#bounds(row)];
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
      return sql`(select count(*) from ${aliased(this.#table, row)}${where(branch(row))})`;
    });
    return sql<number>`${sql.join(counts, sql` + `)}`;
  }

  /** SQL that says whether there are rows before what `after` begins with, or after what `before` ends with; null for no. */
  isCutOff(side: "after" | "before"): RawBuilder<boolean> | null {
    const position = this.#page[side];
    if (position === undefined) return null;
    const operator = (side === "after") === this.#order.descending ? ">=" : "<=";
    const found = this.#branches.map((branch) => {
      const row = this.#context.alias("x");
      const conditions = [...branch(row), this.#compare(row, operator, position)];
      return sql`exists (select 1 from ${aliased(this.#table, row)}${where(conditions)})`;
    });
    return sql<boolean>`(${sql.join(found, sql` or `)})`;
  }

  #bounds(row: string): Condition[] {
    const { after, before } = this.#page;
    const { descending } = this.#order;
    const bounds: Condition[] = [];
    if (after !== undefined) bounds.push(this.#compare(row, descending ? "<" : ">", after));
    if (before !== undefined) bounds.push(this.#compare(row, descending ? ">" : "<", before));
    return bounds;
  }

  #compare(row: string, operator: "<" | ">" | "<=" | ">=", { key, id }: { key: Slot; id: Slot }): Condition {
    return sql`(${this.#key(row)}, ${column(row, "id")}) ${sql.raw(operator)} (${param(key.slot)}, ${param(id.slot)})`;
  }

  #key(row: string): RawBuilder<string> {
    const { by } = this.#order;
    if (by !== "relevance") return column(row, KEYS[by]);
    if (this.#search === null) return column(row, KEYS.createdAt);
    const isInTitle = this.#context.dialect.search.isInTitle(row, param(this.#search.slot), CANDIDATES);
    return sql<string>`((case when ${isInTitle} then '1' else '0' end) || ${column(row, KEYS.createdAt)})`;
  }
}

/** SQL that says whether the viewer may see a post; null for one who sees all. */
export function isVisible({ viewer, seesAll }: ReadContext, post: string): RawBuilder<boolean> | null {
  if (seesAll) return null;
  const isPublished = sql<boolean>`${column(post, "status")} = 'PUBLISHED'`;
  if (viewer === null) return isPublished;
  return sql<boolean>`(${isPublished} or ${column(post, "author_id")} = ${param(viewer.slot)})`;
}

/** For indexes of unpublished posts, which SQLite takes only when their own condition is there word for word. */
function unpublished({ viewer, seesAll }: ReadContext, post: string): Condition[] {
  const conditions = [sql`${column(post, "status")} <> 'PUBLISHED'`];
  if (seesAll) return conditions;
  return [...conditions, viewer === null ? sql`1 = 0` : sql`${column(post, "author_id")} = ${param(viewer.slot)}`];
}

function filterConditions(dialect: Dialect, filter: PostFilter, post: string): Condition[] {
  const conditions: Condition[] = [];
  const compare = (name: string, operator: string, slot: Slot | undefined) => {
    if (slot === undefined) return;
    conditions.push(sql`${column(post, name)} ${sql.raw(operator)} ${param(slot.slot)}`);
  };
  compare("author_id", "=", filter.author);
  compare("created_at", ">=", filter.createdFrom);
  compare("created_at", "<", filter.createdUntil);
  compare("updated_at", ">=", filter.updatedFrom);
  compare("updated_at", "<", filter.updatedUntil);
  if (filter.search !== undefined) {
    const matches = dialect.search.matches(param(filter.search.slot), CANDIDATES);
    conditions.push(sql`${column(post, "number")} in (${matches})`);
  }
  return conditions;
}

function where(conditions: readonly Condition[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
}

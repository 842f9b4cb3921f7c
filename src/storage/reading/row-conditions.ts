import { type RawBuilder, sql } from "kysely";
import type { PostStatus } from "../../domain/post-status.ts";
import type { PostFilter, Slot } from "../../domain/reading/selection.ts";
import type { Dialect } from "../database/database.ts";
import { param } from "../database/statement.ts";
import { aliased, column } from "./read-pieces.ts";

/** Limit: posts that a search sorts. Matches of a very common word are not sorted completely. */
export const CANDIDATES = 10_000;

/** SQL for a limit: of what stands in a slot, and so many more. */
export type Limit = (slot: number, more: 0 | 1) => RawBuilder<number>;

/** The context of a statement. */
export interface ReadContext {
  readonly dialect: Dialect;
  readonly limit: Limit;
  readonly viewer: Slot | null;
  /** The time at which the statement runs. */
  readonly now: Slot | null;
  /** Whether the viewer is one who sees everybody's unpublished posts. */
  readonly seesAll: boolean;
  /** A name that nothing else in the statement has. */
  readonly alias: (letter: string) => string;
}

export type Condition = RawBuilder<unknown>;

/** SQL that says whether the viewer may see a post; null for one who sees all. */
export function isVisible({ viewer, seesAll }: ReadContext, post: string): RawBuilder<boolean> | null {
  if (seesAll) return null;
  const isPublished = sql<boolean>`${column(post, "status")} = 'PUBLISHED'`;
  if (viewer === null) return isPublished;
  return sql<boolean>`(${isPublished} or ${column(post, "author_id")} = ${param(viewer.slot)})`;
}

/** SQL that says whether the viewer may change a post; null for one who may change all. */
export function mayChange({ viewer, seesAll }: ReadContext, post: string): RawBuilder<boolean> | null {
  if (seesAll) return null;
  return viewer === null ? sql<boolean>`1 = 0` : sql<boolean>`${column(post, "author_id")} = ${param(viewer.slot)}`;
}

/**
 * Posts in one status that the viewer sees. Indexes of unpublished posts are taken only when their own condition is there word for word.
 * Scheduled posts and posts with a working copy are few among those of a status: an index of their own finds them.
 */
export function ofStatus(context: ReadContext, filter: PostFilter, status: PostStatus, post: string): Condition[] {
  if (isOfPlanned(filter, status))
    return [sql`${unindexed(post, "status")} = 'PUBLISHED'`, hasPlan(context, filter, post)];
  const areFew = filter.isScheduled === true || filter.hasWorkingCopy === true;
  const own = status === "PUBLISHED" ? null : mayChange(context, post);
  return [
    sql`${areFew ? unindexed(post, "status") : column(post, "status")} = ${sql.lit(status)}`,
    ...(areFew || status === "PUBLISHED" ? [] : [sql`${column(post, "status")} <> 'PUBLISHED'`]),
    // `hasCopy` says whether a post has a working copy.
    ...(own === null || filter.hasWorkingCopy === true ? [] : [own]),
  ];
}

/** SQL for a column by which no index is chosen. */
function unindexed(row: string, name: string): RawBuilder<string> {
  return sql<string>`coalesce(${column(row, name)}, '')`;
}

/** Whether the posts of this status are those with a planned update. */
export function isOfPlanned(filter: PostFilter, status: PostStatus): boolean {
  return filter.isScheduled === true && status === "PUBLISHED";
}

/** SQL for the time of the planned update of a post. */
export function plannedTime({ alias }: ReadContext, post: string): RawBuilder<string> {
  const plan = alias("y");
  return sql<string>`(select ${column(plan, "publish_at")} from ${aliased("post_planned_updates", plan)} where ${column(plan, "post_id")} = ${column(post, "id")})`;
}

/** Planned updates are few: the databases begin with them. */
function hasPlan(context: ReadContext, { publishFrom, publishUntil }: PostFilter, post: string): Condition {
  const { viewer, seesAll } = context;
  const plan = context.alias("y");
  const time = column(plan, "publish_at");
  const range = [
    ...(publishFrom === undefined ? [] : [sql`${time} >= ${param(publishFrom.slot)}`]),
    ...(publishUntil === undefined ? [] : [sql`${time} < ${param(publishUntil.slot)}`]),
  ];
  const where = range.length === 0 ? sql`` : sql` where ${sql.join(range, sql` and `)}`;
  const ids = sql`select ${column(plan, "post_id")} from ${aliased("post_planned_updates", plan)}${where}`;
  const planned = context.dialect.isOneOfFew(column(post, "id"), ids);
  if (seesAll) return planned;
  return viewer === null ? sql`1 = 0` : sql`${planned} and ${unindexed(post, "author_id")} = ${param(viewer.slot)}`;
}

export function filterConditions(
  context: ReadContext,
  filter: PostFilter,
  status: PostStatus,
  post: string,
): Condition[] {
  const { dialect } = context;
  const conditions: Condition[] = [];
  const compare = (name: string, operator: string, slot: Slot | undefined) => {
    if (slot === undefined) return;
    conditions.push(sql`${column(post, name)} ${sql.raw(operator)} ${param(slot.slot)}`);
  };
  if (filter.hasWorkingCopy !== true && !isOfPlanned(filter, status)) compare("author_id", "=", filter.author);
  else if (filter.author !== undefined)
    conditions.push(sql`${unindexed(post, "author_id")} = ${param(filter.author.slot)}`);
  compare("created_at", ">=", filter.createdFrom);
  compare("created_at", "<", filter.createdUntil);
  compare("updated_at", ">=", filter.updatedFrom);
  compare("updated_at", "<", filter.updatedUntil);
  // As the index of scheduled posts has it.
  if (filter.isScheduled !== undefined && !isOfPlanned(filter, status)) {
    conditions.push(sql`${column(post, "publish_at")} is ${sql.raw(filter.isScheduled ? "not null" : "null")}`);
    compare("publish_at", ">=", filter.publishFrom);
    compare("publish_at", "<", filter.publishUntil);
  }
  if (filter.search !== undefined) {
    const matches = dialect.search.matches(param(filter.search.slot), CANDIDATES);
    conditions.push(sql`${column(post, "number")} in (${matches})`);
  }
  if (filter.hasWorkingCopy !== undefined) conditions.push(hasCopy(context, post, filter.hasWorkingCopy));
  return conditions;
}

/** Working copies are few: the databases begin with them. */
function hasCopy(context: ReadContext, post: string, wanted: boolean): Condition {
  const { viewer, seesAll } = context;
  const copy = context.alias("w");
  const open = sql`${column(post, "id")} in (select ${column(copy, "post_id")} from ${aliased("post_working_copies", copy)} where ${column(copy, "is_open")} = 1)`;
  const own = viewer === null ? sql`1 = 0` : sql`${unindexed(post, "author_id")} = ${param(viewer.slot)}`;
  const has = seesAll ? open : sql`(${open} and ${own})`;
  // A viewer without a person is NULL here, and then so is the comparison.
  return wanted ? has : sql`(${has}) is not true`;
}

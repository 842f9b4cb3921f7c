import { CompiledQuery, type Kysely, SelectQueryNode, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { HeldRead, PreparedRead } from "../../domain/reading/prepared-read.ts";
import {
  ALL,
  type ConnectionField,
  type RootSelection,
  type Slot,
  type SlotValues,
} from "../../domain/reading/selection.ts";
import { currentRecord } from "../../observe/request-record.ts";
import type { Database, Reading, Row, RowStatement } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { bindParameters, limitParam, whenNeeded } from "../database/statement.ts";
import {
  type Branch,
  branchesOf,
  readsHistory,
  type Selection,
  selectionsOf,
  withCursors,
  withHighlights,
  withUrls,
} from "./read-pieces.ts";
import { ReadPlan } from "./read-plan.ts";
import type { Limit } from "./row-conditions.ts";

/** Objects in objects: more of them and SQLite finds the statement too complex. */
const MAX_DEPTH = 20;

/** Combinations of limits that have a statement of their own. */
const MAX_COMBINATIONS = 16;

/** Chooses the statement for the values of a request. */
type Choose = (values: SlotValues) => RowStatement;

/**
 * Turns a selection into one statement whose only value is the finished JSON text.
 *
 * The text is joined from pieces instead of with the databases' JSON functions: as fast, the same bytes on both
 * (PostgreSQL's functions add spaces), and without a limit on the number of fields.
 *
 * @throws AppError BAD_REQUEST for a selection more than 20 objects deep
 */
export function prepareRead(database: Database, root: RootSelection, now: () => number): PlannedRead {
  if (isDeeper(root, MAX_DEPTH)) {
    throw new AppError("BAD_REQUEST", `At most ${MAX_DEPTH} objects can be selected within each other.`);
  }
  const choose = byViewer(database, root);
  const cursors = hasEdge(root, "cursor") || hasPageCursor(root) ? withCursors : same;
  const highlights = hasEdge(root, "highlight") ? withHighlights : same;
  const urls = hasUrl(root) ? withUrls : same;
  const isPlain = cursors === same && highlights === same && urls === same;
  const finish = isPlain ? same<string> : timed((json: string) => cursors(highlights(urls(json))));
  const toJson = (row: Row | undefined) => finish((row?.[0] as string | null | undefined) ?? "null");
  return new PlannedRead(choose, toJson, root.now === undefined ? same : withTime(root.now, now));
}

/** Notes how long it takes. */
function timed(finish: (json: string) => string): (json: string) => string {
  return (json) => {
    const record = currentRecord();
    if (record === undefined) return finish(json);
    const startedAt = performance.now();
    const text = finish(json);
    record.textMs += performance.now() - startedAt;
    return text;
  };
}

/** Whole seconds, so that what is read within the same one is kept in memory once. */
function withTime({ slot }: Slot, now: () => number): (values: SlotValues) => SlotValues {
  return (values) => values.with(slot, new Date(Math.floor(now() / 1_000) * 1_000).toISOString());
}

/** The result of `Store.prepareRead`. */
export class PlannedRead implements PreparedRead {
  readonly statementFor: (values: SlotValues, isNewest?: boolean) => RowStatement;
  readonly toJson: (row: Row | undefined) => string;

  /** Values of a request with those that only the run brings. */
  readonly complete: (values: SlotValues) => SlotValues;

  constructor(
    statementFor: PlannedRead["statementFor"],
    toJson: PlannedRead["toJson"],
    complete: PlannedRead["complete"],
  ) {
    this.statementFor = statementFor;
    this.toJson = toJson;
    this.complete = complete;
  }

  /** The read that a write does in its own transaction. */
  reading(values: SlotValues): Reading {
    return { statement: this.statementFor(values, true), values: this.complete(values) };
  }

  /** As `run`, within a transaction that writes. */
  async within(tx: Kysely<Schema>, values: SlotValues): Promise<string> {
    const { query } = this.statementFor(values, true);
    const compiled = CompiledQuery.raw(query.sql, bindParameters(query, this.complete(values)));
    // Its kind says that it repeats, so that PostgreSQL keeps it prepared.
    const { rows } = await tx.executeQuery<Record<string, unknown>>({ ...compiled, query: SelectQueryNode.create() });
    return this.toJson(rows[0] && Object.values(rows[0]));
  }

  run(values: SlotValues, isNewest?: boolean): string | Promise<string> {
    const row = this.statementFor(values, isNewest).run(this.complete(values));
    return row instanceof Promise ? row.then(this.toJson) : this.toJson(row);
  }

  hold(values: SlotValues): HeldRead | null {
    if (this.complete !== same) return null;
    const held = this.statementFor(values).hold?.(values);
    if (held == null) return null;
    return () => {
      const row = held();
      return row === null ? null : this.toJson(row);
    };
  }
}

/** Viewers who see everything get their own statement: without conditions on the author, other indexes apply. */
function byViewer(database: Database, root: RootSelection): Choose {
  const { viewer } = root;
  const own = whenNeeded(() => statements(database, root, false));
  if (viewer === undefined) return (values) => own()(values);
  const all = whenNeeded(() => statements(database, root, true));
  return (values) => (values[viewer.slot] === ALL ? all() : own())(values);
}

function statements(database: Database, root: RootSelection, seesAll: boolean): Choose {
  const { dialect } = database;
  const author = root.kind === "user" && !isSearched(root) ? root.id.slot : null;
  const content = readsHistory(root) ? undefined : { author };
  const prepare = (limit: Limit) => {
    let aliases = 0;
    const alias = (letter: string) => `${letter}${aliases++}`;
    const { viewer = null, now = null } = root;
    const plan = new ReadPlan({ dialect, limit, seesAll, viewer, now, alias });
    const query = plan.statement(root).compile(database.read);
    return database.prepareRow({ sql: query.sql, parameters: query.parameters }, content);
  };
  const general = whenNeeded(() =>
    prepare((slot, more) => (more === 0 ? limitParam(slot) : sql<number>`${limitParam(slot)} + 1`)),
  );
  const slots = limitSlots(root);
  return dialect.plansByLimits && slots.length > 0 ? byLimits(slots, prepare, general) : general;
}

/** One statement for each combination of limits that is asked for, as long as there are few; the general one after. */
function byLimits(
  slots: readonly number[],
  prepare: (limit: Limit) => RowStatement,
  general: () => RowStatement,
): Choose {
  const made = new Map<string, RowStatement>();
  return (values) => {
    const limits = slots.map((slot) => values[slot]);
    const key = limits.join();
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size === MAX_COMBINATIONS || !limits.every(Number.isSafeInteger)) return general();
    const statement = prepare((slot, more) => sql.lit((values[slot] as number) + more));
    made.set(key, statement);
    return statement;
  };
}

function limitSlots(root: RootSelection): number[] {
  const slots = new Set<number>();
  for (const branch of branchesOf(root)) if ("first" in branch) slots.add(branch.first.slot);
  return [...slots];
}

/** Any write may bring posts into the index that were there before. */
function isSearched(root: RootSelection): boolean {
  for (const branch of branchesOf(root)) if ("filter" in branch && branch.filter?.search !== undefined) return true;
  return false;
}

function same<T>(value: T): T {
  return value;
}

function hasUrl(root: RootSelection): boolean {
  for (const branch of branchesOf(root)) if ("kind" in branch && branch.kind === "url") return true;
  return false;
}

function hasEdge(root: RootSelection, kind: "cursor" | "highlight"): boolean {
  return connectionFieldsOf(root).some(
    (field) => field.kind === "edges" && field.fields.some((one) => one.kind === kind),
  );
}

function hasPageCursor(root: RootSelection): boolean {
  return connectionFieldsOf(root).some(
    (field) => field.kind === "pageInfo" && field.fields.some(({ kind }) => kind.endsWith("Cursor")),
  );
}

function connectionFieldsOf(root: RootSelection): readonly ConnectionField<Selection>[] {
  return Array.from(branchesOf(root)).flatMap((branch): readonly ConnectionField<Selection>[] =>
    "list" in branch ? branch.fields : [],
  );
}

function isDeeper(branch: Branch, depth: number): boolean {
  return selectionsOf(branch).some(({ fields }) => depth === 0 || fields.some((field) => isDeeper(field, depth - 1)));
}

import { type RawBuilder, sql } from "kysely";
import type {
  ConnectionField,
  DeletedPostConnection,
  EdgeField,
  PageInfoField,
  PostConnection,
  RevisionConnection,
  UserConnection,
} from "../../domain/reading/selection.ts";
import { param } from "../database/statement.ts";
import {
  column,
  columnsOf,
  join,
  object,
  type Piece,
  rawCursor,
  rawHighlight,
  type Selection,
  selectionsOfConnection,
} from "./read-pieces.ts";
import type { Rows } from "./read-rows.ts";
import type { ReadContext } from "./row-conditions.ts";

export type AnyConnection = PostConnection | UserConnection | RevisionConnection | DeletedPostConnection;

/**
 * A connection is read like a list, with its rows numbered in the order of walking. If the request asks whether there
 * are more, one additional row is read.
 */
export class ConnectionPlan {
  readonly #context: ReadContext;
  readonly #connection: AnyConnection;
  readonly #rows: Rows;
  readonly #object: (selection: Selection, row: string) => Piece[];
  readonly #row: string;
  readonly #readsMore: boolean;
  readonly #showsCursors: boolean;

  constructor(
    context: ReadContext,
    connection: AnyConnection,
    rows: Rows,
    objectOf: (selection: Selection, row: string) => Piece[],
  ) {
    this.#context = context;
    this.#connection = connection;
    this.#rows = rows;
    this.#object = objectOf;
    this.#row = context.alias("r");
    const shown = new Set<string>();
    for (const field of connection.fields) {
      if (field.kind === "edges" || field.kind === "pageInfo") for (const { kind } of field.fields) shown.add(kind);
    }
    this.#readsMore = shown.has(connection.fromEnd ? "hasPreviousPage" : "hasNextPage");
    this.#showsCursors = ["cursor", "startCursor", "endCursor"].some((kind) => shown.has(kind));
  }

  json(): Piece[] {
    const { dialect } = this.#context;
    const fields: readonly ConnectionField<Selection>[] = this.#connection.fields;
    const pieces = object(fields.map((field) => [field.key, this.#value(field)]));
    const hasItems = fields.some(({ kind }) => kind === "nodes" || kind === "edges");
    return hasItems || this.#readsMore || this.#showsCursors
      ? [sql<string>`(select ${join(dialect, pieces)} from ${this.#source()})`]
      : pieces;
  }

  #source(): RawBuilder<unknown> {
    const page = this.#rows.page(this.#columns(), this.#readsMore ? 1 : 0, this.#showsCursors);
    const numbered = this.#context.alias("n");
    return sql`(select ${sql.table(numbered)}.*, row_number() over () as place, count(*) over () as found
      from (${page}) as ${sql.table(numbered)}) as ${sql.table(this.#row)}`;
  }

  #columns(): string[] {
    const columns = new Set(columnsOf(selectionsOfConnection(this.#connection.fields)));
    for (const field of this.#connection.fields) {
      if (field.kind !== "edges" || !field.fields.some(({ kind }) => kind === "highlight")) continue;
      if (this.#search === null) continue;
      columns.add("body");
    }
    return [...columns];
  }

  #value(field: ConnectionField<Selection>): Piece[] {
    switch (field.kind) {
      case "constant":
        return [JSON.stringify(field.value)];
      case "totalCount":
        return [sql<string>`cast(${this.#rows.count()} as text)`];
      case "boundedCount":
        return [sql<string>`cast(${this.#rows.countUpTo(field.upTo)} as text)`];
      case "nodes":
        return this.#items(this.#object(field.selection, this.#row));
      case "edges":
        return this.#items(object(field.fields.map((inner) => [inner.key, this.#edgeValue(inner)])));
      case "pageInfo":
        return object(field.fields.map((inner) => [inner.key, this.#pageInfoValue(inner)]));
    }
  }

  #items(item: readonly Piece[]): Piece[] {
    const order = this.#connection.fromEnd ? sql` order by ${this.#place} desc` : sql``;
    const within = this.#readsMore ? sql` filter (where ${this.#place} <= ${this.#size})` : sql``;
    const items = sql<string>`string_agg(${join(this.#context.dialect, item)}, ','${order})${within}`;
    return ["[", sql<string>`coalesce(${items}, '')`, "]"];
  }

  #edgeValue(field: EdgeField<Selection>): Piece[] {
    switch (field.kind) {
      case "constant":
        return [JSON.stringify(field.value)];
      case "node":
        return this.#object(field.selection, this.#row);
      case "cursor":
        return rawCursor(this.#context.dialect, this.#connection.list, this.#row);
      case "highlight":
        return this.#highlight();
    }
  }

  #pageInfoValue(field: PageInfoField): Piece[] {
    switch (field.kind) {
      case "constant":
        return [JSON.stringify(field.value)];
      case "hasNextPage":
        return [this.#isMore(this.#connection.fromEnd !== true, "before")];
      case "hasPreviousPage":
        return [this.#isMore(this.#connection.fromEnd === true, "after")];
      case "startCursor":
        return [this.#cursorAt(this.#connection.fromEnd === true)];
      case "endCursor":
        return [this.#cursorAt(this.#connection.fromEnd !== true)];
    }
  }

  /** @param ahead whether the walk goes there, so that a row too many tells */
  #isMore(ahead: boolean, side: "after" | "before"): RawBuilder<string> {
    const cutOff = this.#rows.isCutOff(side);
    const beyond = ahead ? sql`coalesce(max(${column(this.#row, "found")}), 0) > ${this.#size}` : null;
    const reasons = [beyond, cutOff].filter((reason) => reason !== null);
    if (reasons.length === 0) return sql<string>`'false'`;
    return sql<string>`case when ${sql.join(reasons, sql` or `)} then 'true' else 'false' end`;
  }

  /** @param atLast of the row that the walk reaches last, else of the one it begins with */
  #cursorAt(atLast: boolean): RawBuilder<string> {
    const found = column(this.#row, "found");
    const last = this.#readsMore ? sql`case when ${found} < ${this.#size} then ${found} else ${this.#size} end` : found;
    const cursor = join(this.#context.dialect, rawCursor(this.#context.dialect, this.#connection.list, this.#row));
    // With a page of no rows there is none, even where one row too many was read.
    const isThere = this.#readsMore ? sql` and ${this.#place} <= ${this.#size}` : sql``;
    const here = sql`${this.#place} = ${atLast ? last : sql.lit(1)}${isThere}`;
    return sql<string>`coalesce(max(case when ${here} then ${cursor} end), 'null')`;
  }

  #highlight(): Piece[] {
    if (this.#search === null) return ["null"];
    return rawHighlight(this.#context.dialect, this.#row, param(this.#search));
  }

  get #search(): number | null {
    return "filter" in this.#connection ? (this.#connection.filter?.search?.slot ?? null) : null;
  }

  get #place(): RawBuilder<string> {
    return column(this.#row, "place");
  }

  get #size(): RawBuilder<number> {
    return this.#context.limit(this.#connection.first.slot, 0);
  }
}

import { type Expression, type RawBuilder, sql } from "kysely";
import { encodeCursor } from "../../domain/reading/cursor.ts";
import { highlight, LOOKED_AT } from "../../domain/reading/highlight.ts";
import type { ConnectionField, PostSelection, RootSelection, UserSelection } from "../../domain/reading/selection.ts";
import { columnOf } from "../database/columns.ts";
import type { Dialect } from "../database/database.ts";
import type { ContentTable } from "../database/schema.ts";

/** A piece of the JSON text: characters known now, or SQL that gives them. */
export type Piece = string | Expression<string>;

/** Texts that are joined at once: functions of PostgreSQL take 100 arguments, and long chains copy much. */
const MAX_ARGUMENTS = 90;

/** SQL for the pieces one after another; neighbours that are known become one literal. */
export function join(dialect: Dialect, pieces: readonly Piece[]): RawBuilder<string> {
  let expressions: Expression<string>[] = [];
  let known = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      known += piece;
      continue;
    }
    if (known !== "") expressions.push(sql.lit(known));
    known = "";
    expressions.push(piece);
  }
  if (known !== "") expressions.push(sql.lit(known));
  while (expressions.length > MAX_ARGUMENTS) {
    const parts: Expression<string>[] = [];
    for (let i = 0; i < expressions.length; i += MAX_ARGUMENTS) {
      parts.push(dialect.join(expressions.slice(i, i + MAX_ARGUMENTS)));
    }
    expressions = parts;
  }
  return dialect.join(expressions);
}

/** SQL for a table under an alias. Only content tables can be read, because writes to others outdate nothing that is cached. */
export function aliased(table: ContentTable, alias: string): RawBuilder<unknown> {
  return sql`${sql.raw(table)} as ${sql.table(alias)}`;
}

export function column(table: string, name: string): RawBuilder<string> {
  return sql.id<string>(table, name);
}

export function object(entries: readonly (readonly [key: string, value: readonly Piece[]])[]): Piece[] {
  const members = entries.flatMap(([key, value], i) => [`${i === 0 ? "" : ","}${JSON.stringify(key)}:`, ...value]);
  return ["{", ...members, "}"];
}

/**
 * A cursor that is still to be made: between two characters that stand nowhere else in JSON text, its list, the id and the
 * key as a JSON string.
 */
export function rawCursor(dialect: Dialect, list: string, row: string): Piece[] {
  return [`\u0001${list}\u0003`, column(row, "id"), dialect.quote(column(row, "order_key")), "\u0002"];
}

const ID_LENGTH = 36;

/** Makes the cursors in a finished text. The databases have no function for it in common. */
export function withCursors(json: string): string {
  const [head = "", ...parts] = json.split("\u0001");
  let text = head;
  for (const part of parts) {
    const place = part.indexOf("\u0003") + 1;
    const end = part.indexOf("\u0002", place);
    const id = part.slice(place, place + ID_LENGTH);
    const key: string = JSON.parse(part.slice(place + ID_LENGTH, end));
    text += `"${encodeCursor(part.slice(0, place - 1), { id, key })}"${part.slice(end + 1)}`;
  }
  return text;
}

/** A highlight that is still to be made, from the words and the body as JSON strings. It stands between two more characters. */
export function rawHighlight(dialect: Dialect, row: string, words: Expression<string>): Piece[] {
  const body = sql<string>`substr(${column(row, "body")}, 1, ${sql.lit(LOOKED_AT)})`;
  return ["\u0004", dialect.quote(sql<string>`cast(${words} as text)`), "\u0006", dialect.quote(body), "\u0005"];
}

/** Makes the highlights in a finished text. The databases would split the body by rules of their own. */
export function withHighlights(json: string): string {
  const [head = "", ...parts] = json.split("\u0004");
  let text = head;
  for (const part of parts) {
    const between = part.indexOf("\u0006");
    const end = part.indexOf("\u0005", between);
    const words: string = JSON.parse(part.slice(0, between));
    const body: string = JSON.parse(part.slice(between + 1, end));
    text += JSON.stringify(highlight(body, words)) + part.slice(end + 1);
  }
  return text;
}

export type Selection = UserSelection | PostSelection;

/** Everything in the tree that has fields of its own. */
export type Branch = RootSelection | Selection["fields"][number];

/** Selections that an object or a list makes of the objects in it. */
export function selectionsOf(branch: Branch): readonly Selection[] {
  if ("selection" in branch) return [branch.selection];
  if ("user" in branch) return [branch.user, branch.post];
  return "list" in branch ? selectionsOfConnection(branch.fields) : [];
}

export function selectionsOfConnection(fields: readonly ConnectionField<Selection>[]): readonly Selection[] {
  return fields.flatMap((field) => {
    if (field.kind === "nodes") return [field.selection];
    if (field.kind !== "edges") return [];
    return field.fields.flatMap((inner) => (inner.kind === "node" ? [inner.selection] : []));
  });
}

/** The branch and all below it. */
export function* branchesOf(branch: Branch): Generator<Branch> {
  yield branch;
  for (const { fields } of selectionsOf(branch)) for (const field of fields) yield* branchesOf(field);
}

/** The columns that the JSON needs. At least one, so that rows are counted even where it needs none. */
export function columnsOf(selections: readonly Selection[]): string[] {
  const names = new Set<string>(["id"]);
  for (const { type, fields } of selections) {
    for (const field of fields) {
      if (field.kind === "author") names.add("author_id");
      if (field.kind !== "column") continue;
      const { name, ifMissing } = columnOf(type, field.column);
      names.add(name);
      if (typeof ifMissing === "object" && ifMissing !== null) names.add(columnOf(type, ifMissing.field).name);
    }
  }
  return [...names];
}

import { type Expression, type RawBuilder, sql } from "kysely";
import { encodeCursor } from "../../domain/reading/cursor.ts";
import { highlight, LOOKED_AT } from "../../domain/reading/highlight.ts";
import { postUrl } from "../../domain/reading/post-url.ts";
import type {
  ConnectionField,
  DeletedPostSelection,
  PostFilter,
  PostPartSelection,
  PostSelection,
  RootSelection,
  UserSelection,
} from "../../domain/reading/selection.ts";
import { columnOf } from "../database/columns.ts";
import type { Dialect } from "../database/database.ts";
import type { ReadTable } from "../database/schema.ts";

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

/** SQL for a table under an alias. */
export function aliased(table: ReadTable, alias: string): RawBuilder<unknown> {
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

/** A URL that is still to be made, from its template and what stands for `{id}` and `{slug}`. It stands between two more characters. */
export function rawUrl(dialect: Dialect, template: string, id: Expression<string>, slug: Expression<string>): Piece[] {
  return ["\u0007", JSON.stringify(template), "\u000e", id, "\u000e", dialect.quote(slug), "\u000f"];
}

/** Makes the URLs in a finished text. The databases have no function that encodes for URLs. */
export function withUrls(json: string): string {
  const [head = "", ...parts] = json.split("\u0007");
  let text = head;
  for (const part of parts) {
    const end = part.indexOf("\u000f");
    const [template = "", id = "", slug = ""] = part.slice(0, end).split("\u000e");
    text += JSON.stringify(postUrl(JSON.parse(template), { id, slug: JSON.parse(slug) })) + part.slice(end + 1);
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

export type Selection = UserSelection | PostSelection | PostPartSelection | DeletedPostSelection;

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

/**
 * Whether the read shows texts that are being written, what posts were, or posts that were deleted. Such a read is never answered from memory, nor from a copy
 * of the database: somebody who goes on writing needs what is there now.
 */
export function readsHistory(root: RootSelection): boolean {
  for (const branch of branchesOf(root)) {
    if (!("kind" in branch)) continue;
    if (HISTORY.has(branch.kind)) return true;
    if (!("filter" in branch) || branch.filter === undefined) continue;
    if (branch.filter.hasWorkingCopy !== undefined || listsPlannedUpdates(branch.filter)) return true;
  }
  return false;
}

/** Whether published posts are in the list because of their planned updates. */
function listsPlannedUpdates({ isScheduled, statuses }: PostFilter): boolean {
  return isScheduled === true && statuses?.includes("PUBLISHED") === true;
}

const HISTORY: ReadonlySet<string> = new Set(["workingCopy", "plannedUpdate", "revisions", "deletedPosts"]);

/** The column with the person of a `person` field. */
export const PERSON_COLUMNS = {
  WorkingCopy: "updated_by",
  PlannedUpdate: "person_id",
  PostRevision: "person_id",
  PreviewLink: "created_by",
  DeletedPost: "deleted_by",
} as const;

/** Fields of a post that depend on its author. */
const BY_AUTHOR: ReadonlySet<string> = new Set([
  "author",
  "viewerCanUpdate",
  "workingCopy",
  "plannedUpdate",
  "revisions",
  "previewLinks",
]);

/** The columns that the JSON needs. At least one, so that rows are counted even where it needs none. */
export function columnsOf(selections: readonly Selection[]): string[] {
  const names = new Set<string>(["id"]);
  for (const { type, fields } of selections) {
    for (const field of fields) {
      if ((type === "Post" || type === "DeletedPost") && BY_AUTHOR.has(field.kind)) names.add("author_id");
      if (field.kind === "person" && type !== "User" && type !== "Post") names.add(PERSON_COLUMNS[type]);
      if (field.kind === "url") names.add("slug");
      if (field.kind !== "column") continue;
      const { name, ifMissing } = columnOf(type, field.column);
      names.add(name);
      if (typeof ifMissing === "object" && ifMissing !== null) names.add(columnOf(type, ifMissing.field).name);
    }
  }
  return [...names];
}

import { type Expression, type RawBuilder, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type {
  DeletedPostSelection,
  PlannedUpdateSelection,
  PostConnection,
  PostList,
  PostPartSelection,
  PostSelection,
  PreviewLinkSelection,
  RevisionConnection,
  RootSelection,
  UserList,
  UserSelection,
  WorkingCopySelection,
} from "../../domain/reading/selection.ts";
import { param } from "../database/statement.ts";
import { type AnyConnection, ConnectionPlan } from "./read-connection.ts";
import {
  aliased,
  column,
  columnsOf,
  join,
  object,
  PERSON_COLUMNS,
  type Piece,
  rawUrl,
  type Selection,
} from "./read-pieces.ts";
import { Rows } from "./read-rows.ts";
import { isVisible, mayChange, type ReadContext } from "./row-conditions.ts";
import { storedValue } from "./stored-value.ts";

/** The statement for one root field. */
export class ReadPlan {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  statement(root: RootSelection): RawBuilder<unknown> {
    switch (root.kind) {
      case "user":
        return this.#userById(root.selection, param(root.id.slot));
      case "post":
        return this.#postById(root.selection, param(root.id.slot));
      case "workingCopy": {
        const post = this.#context.alias("p");
        const text = this.#join(this.#unpublished(root.selection, post));
        return sql`select ${text} from ${aliased("posts", post)} where ${column(post, "id")} = ${param(root.id.slot)}`;
      }
      case "postBySlug":
        return this.#postById(root.selection, idBySlug(param(root.slug.slot)));
      case "previewLink": {
        const link = this.#context.alias("k");
        const json = this.#join(this.#object(root.selection, link));
        return sql`select ${json} from ${aliased("preview_links", link)} where ${column(link, "id")} = ${param(root.id.slot)}`;
      }
      case "node": {
        const id = param<string>(root.id.slot);
        return sql`select coalesce((${this.#userById(root.user, id)}), (${this.#postById(root.post, id)}))`;
      }
      case "nodes": {
        const id = column("e", "value");
        const node = sql`coalesce((${this.#userById(root.user, id)}), (${this.#postById(root.post, id)}), 'null')`;
        const ids = this.#context.dialect.elements(param(root.ids.slot));
        const items = sql<string>`coalesce(string_agg(${node}, ',' order by ${column("e", "position")}), '')`;
        return sql`select ${this.#join(["[", items, "]"])} from ${ids} as e`;
      }
      case "posts":
        return sql`select ${this.#join(this.#posts(root, null))}`;
      case "postsConnection":
        return sql`select ${this.#join(this.#postConnection(root, null))}`;
      case "deletedPosts":
        return sql`select ${this.#join(this.#connection(root, Rows.deletedPosts(this.#context, root)))}`;
      case "users":
        return sql`select ${this.#join(this.#users(root))}`;
      case "usersConnection":
        return sql`select ${this.#join(this.#connection(root, Rows.users(this.#context, root)))}`;
    }
  }

  /** @param which `remaining` leaves out people whose account is deleted */
  #userById(selection: UserSelection, id: Expression<string>, which?: "remaining"): RawBuilder<string> {
    const user = this.#context.alias("u");
    const remaining = which === undefined ? sql`` : sql` and ${column(user, "deleted_at")} is null`;
    return sql`select ${this.#join(this.#object(selection, user))} from ${aliased("users", user)} where ${column(user, "id")} = ${id}${remaining}`;
  }

  #postById(selection: PostSelection, id: Expression<string>): RawBuilder<string> {
    const post = this.#context.alias("p");
    const visible = isVisible(this.#context, post);
    return sql`select ${this.#join(this.#object(selection, post))} from ${aliased("posts", post)} where ${column(post, "id")} = ${id}${visible === null ? sql`` : sql` and ${visible}`}`;
  }

  #object(selection: Selection, row: string): Piece[] {
    switch (selection.type) {
      case "User":
        return object(selection.fields.map((field) => [field.key, this.#userValue(field, row)]));
      case "Post":
        return object(selection.fields.map((field) => [field.key, this.#postValue(field, row)]));
      case "WorkingCopy":
      case "PlannedUpdate":
      case "PostRevision":
      case "DeletedPost":
      case "PreviewLink":
        return object(selection.fields.map((field) => [field.key, this.#partValue(selection.type, field, row)]));
    }
  }

  #userValue(field: UserSelection["fields"][number], user: string): Piece[] {
    switch (field.kind) {
      case "column":
        return storedValue(this.#context.dialect, "User", field.column, user);
      case "constant":
        return [JSON.stringify(field.value)];
      case "posts":
        return this.#posts(field, column(user, "id"));
      case "postsConnection":
        return this.#postConnection(field, column(user, "id"));
    }
  }

  #postValue(field: PostSelection["fields"][number], post: string): Piece[] {
    const { dialect } = this.#context;
    switch (field.kind) {
      case "column":
        return storedValue(dialect, "Post", field.column, post);
      case "constant":
        return [JSON.stringify(field.value)];
      case "author":
        return [sql`(${this.#userById(field.selection, column(post, "author_id"))})`];
      case "viewerCanUpdate": {
        const may = mayChange(this.#context, post);
        return [may === null ? "true" : sql<string>`case when ${may} then 'true' else 'false' end`];
      }
      case "workingCopy":
      case "plannedUpdate":
        return this.#unpublished(field.selection, post);
      case "revisions":
        return this.#revisions(field, post);
      case "url": {
        if (field.template === null) return ["null"];
        const id = column(post, "id");
        return rawUrl(dialect, field.template, id, sql<string>`coalesce(${column(post, "slug")}, ${id})`);
      }
      case "previewLinks":
        return this.#previewLinks(field.selection, post);
    }
  }

  /** A text of the post that readers do not see. @param post alias of the row of the post */
  #unpublished(selection: WorkingCopySelection | PlannedUpdateSelection, post: string): Piece[] {
    const row = this.#context.alias("w");
    const may = mayChange(this.#context, post);
    const isCopy = selection.type === "WorkingCopy";
    const table = aliased(isCopy ? "post_working_copies" : "post_planned_updates", row);
    const conditions = [
      sql`${column(row, "post_id")} = ${column(post, "id")}`,
      ...(isCopy ? [sql`${column(row, "is_open")} = 1`] : []),
      ...(may === null ? [] : [may]),
    ];
    const text = this.#join(this.#object(selection, row));
    return [sql<string>`coalesce((select ${text} from ${table} where ${sql.join(conditions, sql` and `)}), 'null')`];
  }

  #revisions(connection: RevisionConnection, post: string): Piece[] {
    return this.#connection(connection, Rows.revisions(this.#context, connection, post));
  }

  #partValue(
    type: keyof typeof PERSON_COLUMNS,
    field: (PostPartSelection | DeletedPostSelection)["fields"][number],
    row: string,
  ): Piece[] {
    switch (field.kind) {
      case "column":
        return storedValue(this.#context.dialect, type, field.column, row);
      case "constant":
        return [JSON.stringify(field.value)];
      case "author":
        return [sql`(${this.#userById(field.selection, column(row, "author_id"))})`];
      case "person": {
        const person = this.#userById(field.selection, column(row, PERSON_COLUMNS[type]), "remaining");
        return [sql<string>`coalesce((${person}), 'null')`];
      }
    }
  }

  #previewLinks(selection: PreviewLinkSelection, post: string): Piece[] {
    const may = mayChange(this.#context, post);
    const { now } = this.#context;
    if (now === null) throw new AppError("INTERNAL", "Links are read without the time.");
    const [link, row] = [this.#context.alias("k"), this.#context.alias("r")];
    const columns = sql.join(columnsOf([selection]).map((name) => column(link, name)));
    const page = sql`select ${columns} from ${aliased("preview_links", link)} where ${column(link, "post_id")} = ${column(post, "id")}
      and ${column(link, "revoked_at")} is null and ${column(link, "expires_at")} > ${param(now.slot)}${may === null ? sql`` : sql` and ${may}`} order by ${column(link, "id")} desc`;
    const items = sql<string>`(select string_agg(${this.#join(this.#object(selection, row))}, ',') from (${page}) as ${sql.table(row)})`;
    return ["[", sql<string>`coalesce(${items}, '')`, "]"];
  }

  #posts(list: PostList, author: Expression<string> | null): Piece[] {
    return this.#list(list.selection, Rows.posts(this.#context, list, author));
  }

  #users(list: UserList): Piece[] {
    return this.#list(list.selection, Rows.users(this.#context, list));
  }

  /**
   * The inner query picks the rows by index, in order, raw columns only; the outer one turns each into JSON and joins
   * them in the order in which they come. An ORDER BY inside string_agg would sort them once more (a fifth slower).
   */
  #list(selection: Selection, rows: Rows): Piece[] {
    const row = this.#context.alias("r");
    const page = rows.page(columnsOf([selection]), 0, false);
    const items = sql<string>`(select string_agg(${this.#join(this.#object(selection, row))}, ',') from (${page}) as ${sql.table(row)})`;
    return ["[", sql<string>`coalesce(${items}, '')`, "]"];
  }

  #postConnection(connection: PostConnection, author: Expression<string> | null): Piece[] {
    return this.#connection(connection, Rows.posts(this.#context, connection, author));
  }

  #connection(connection: AnyConnection, rows: Rows): Piece[] {
    return new ConnectionPlan(this.#context, connection, rows, (selection, row) => this.#object(selection, row)).json();
  }

  #join(pieces: readonly Piece[]): RawBuilder<string> {
    return join(this.#context.dialect, pieces);
  }
}

/** SQL for the id of the post with a slug, present or former. A post that is not rendered yet shows its id as its slug. */
function idBySlug(slug: Expression<string>): RawBuilder<string> {
  return sql<string>`coalesce((select id from posts where slug = ${slug}), (select post_id from post_slugs where slug = ${slug}),
    (select id from posts where id = ${slug} and slug is null))`;
}

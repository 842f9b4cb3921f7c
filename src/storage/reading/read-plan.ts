import { type Expression, type RawBuilder, sql } from "kysely";
import type {
  PostConnection,
  PostList,
  PostSelection,
  RootSelection,
  UserConnection,
  UserList,
  UserSelection,
} from "../../domain/reading/selection.ts";
import { param } from "../database/statement.ts";
import { ConnectionPlan } from "./read-connection.ts";
import { aliased, column, columnsOf, join, object, type Piece, type Selection } from "./read-pieces.ts";
import { isVisible, type ReadContext, Rows } from "./read-rows.ts";
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
      case "users":
        return sql`select ${this.#join(this.#users(root))}`;
      case "usersConnection":
        return sql`select ${this.#join(this.#connection(root, Rows.users(this.#context, root)))}`;
    }
  }

  #userById(selection: UserSelection, id: Expression<string>): RawBuilder<string> {
    const user = this.#context.alias("u");
    return sql`select ${this.#join(this.#object(selection, user))} from ${aliased("users", user)} where ${column(user, "id")} = ${id}`;
  }

  #postById(selection: PostSelection, id: Expression<string>): RawBuilder<string> {
    const post = this.#context.alias("p");
    const visible = isVisible(this.#context, post);
    return sql`select ${this.#join(this.#object(selection, post))} from ${aliased("posts", post)} where ${column(post, "id")} = ${id}${visible === null ? sql`` : sql` and ${visible}`}`;
  }

  #object(selection: Selection, row: string): Piece[] {
    if (selection.type === "User")
      return object(selection.fields.map((field) => [field.key, this.#userValue(field, row)]));
    return object(selection.fields.map((field) => [field.key, this.#postValue(field, row)]));
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
    switch (field.kind) {
      case "column":
        return storedValue(this.#context.dialect, "Post", field.column, post);
      case "constant":
        return [JSON.stringify(field.value)];
      case "author":
        return [sql`(${this.#userById(field.selection, column(post, "author_id"))})`];
    }
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

  #connection(connection: PostConnection | UserConnection, rows: Rows): Piece[] {
    return new ConnectionPlan(this.#context, connection, rows, (selection, row) => this.#object(selection, row)).json();
  }

  #join(pieces: readonly Piece[]): RawBuilder<string> {
    return join(this.#context.dialect, pieces);
  }
}

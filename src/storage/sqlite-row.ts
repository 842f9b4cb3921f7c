import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { CompiledQuery } from "kysely";
import type { SlotValues } from "../domain/selection.ts";
import type { Row, RowStatement } from "./database.ts";
import { type RowCache, rowKey } from "./row-cache.ts";
import type { SharedSnapshot } from "./shared-snapshot.ts";
import { sqliteError } from "./sqlite-errors.ts";
import { bindParameters } from "./statement.ts";

let statements = 0;

/**
 * Belongs to whoever asked for it: SQLite's part is freed when this is garbage. What is asked for again is not read
 * again until something is written.
 */
export class SqliteRowStatement implements RowStatement {
  readonly #connection: DatabaseSync;
  readonly #snapshot: SharedSnapshot;
  readonly #cache: RowCache | null;
  readonly #query: CompiledQuery;
  readonly #name = `${statements++}`;
  #statement: StatementSync | null = null;

  constructor(connection: DatabaseSync, snapshot: SharedSnapshot, cache: RowCache | null, query: CompiledQuery) {
    this.#connection = connection;
    this.#snapshot = snapshot;
    this.#cache = cache;
    this.#query = query;
  }

  run(values: SlotValues): Row | undefined {
    try {
      this.#snapshot.use();
      if (this.#cache === null) return this.#read(values);
      const key = rowKey(this.#name, values);
      const known = this.#cache.find(key);
      if (known !== undefined) return known.row;
      const row = this.#read(values);
      this.#cache.keep(key, { row });
      return row;
    } catch (error) {
      throw sqliteError(error);
    }
  }

  #read(values: SlotValues): Row | undefined {
    if (this.#statement === null) {
      this.#statement = this.#connection.prepare(this.#query.sql);
      this.#statement.setReturnArrays(true);
    }
    return this.#statement.get(...(bindParameters(this.#query, values) as SQLInputValue[])) as Row | undefined;
  }
}

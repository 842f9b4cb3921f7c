import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Histogram } from "../../observe/series.ts";
import type { StatementWatch } from "../../observe/statement-watch.ts";
import type { Content, Row, RowQuery, RowStatement } from "../database/database.ts";
import { bindParameters } from "../database/statement.ts";
import { sqliteError } from "./errors.ts";
import { type Known, type RowCache, rowKey } from "./row-cache.ts";
import type { SharedSnapshot } from "./shared-snapshot.ts";

let statements = 0;

/** The connection that only reads, and what it knows. */
export interface Reader {
  readonly connection: DatabaseSync;
  readonly snapshot: SharedSnapshot;
  readonly cache: RowCache;
  /** Learns of each statement; null: nobody does. */
  readonly statements: StatementWatch | null;
  /** Seconds of each read that the cache does not answer. */
  readonly durations: Histogram;
}

/**
 * Belongs to whoever asked for it: SQLite's part is freed when this is garbage. Content that is asked for again is not read
 * again until something of it is written.
 */
export class SqliteRowStatement implements RowStatement {
  readonly #reader: Reader;
  readonly query: RowQuery;
  readonly #content: Content | undefined;
  readonly #name = `${statements++}`;
  #statement: StatementSync | null = null;

  constructor(reader: Reader, query: RowQuery, content: Content | undefined) {
    this.#reader = reader;
    this.query = query;
    this.#content = content;
  }

  run(values: SlotValues): Row | undefined {
    const { snapshot, cache } = this.#reader;
    try {
      snapshot.use();
      if (this.#content === undefined) return this.#read(values);
      const key = rowKey(this.#name, values);
      const known = cache.find(key, authorOf(this.#content, values));
      if (known !== undefined) return known.row as Row | undefined;
      const row = this.#read(values);
      cache.keep(key, row);
      return row;
    } catch (error) {
      throw sqliteError(error);
    }
  }

  hold(values: SlotValues): (() => Row | undefined | null) | null {
    const content = this.#content;
    if (content === undefined) return null;
    const { snapshot, cache } = this.#reader;
    const key = rowKey(this.#name, values);
    const author = authorOf(content, values);
    let known: Known | null = null;
    return () => {
      try {
        snapshot.use();
      } catch {
        return null;
      }
      if (known === null || !cache.isCurrent(known, author)) known = cache.find(key, author) ?? null;
      if (known === null) return null;
      known.isUsed = true;
      return known.row as Row | undefined;
    };
  }

  #read(values: SlotValues): Row | undefined {
    if (this.#statement === null) {
      this.#statement = this.#reader.connection.prepare(this.query.sql);
      this.#statement.setReturnArrays(true);
    }
    const bound = bindParameters(this.query, values) as SQLInputValue[];
    const began = performance.now();
    const row = this.#statement.get(...bound) as Row | undefined;
    const { durations, statements } = this.#reader;
    const ended = performance.now();
    durations.observe((ended - began) / 1_000);
    statements?.ran(this.query.sql, began, row === undefined ? 0 : 1);
    return row;
  }
}

function authorOf({ author }: Content, values: SlotValues): string | null {
  return author === null ? null : (values[author] as string);
}

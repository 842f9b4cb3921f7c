import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Histogram } from "../../observe/series.ts";
import type { Explain, StatementWatch } from "../../observe/statement-watch.ts";
import type { Schema } from "../database/schema.ts";
import type { ContentWrites } from "./content-writes.ts";
import { sqliteError } from "./errors.ts";

/** Compiled statements that each connection keeps. */
const STATEMENTS = 256;

/** The interface of a statement for Kysely's SQLite dialect. */
export interface KeptStatement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

export function kyselyOver(prepare: (text: string) => KeptStatement): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: { close: () => {}, prepare } }) });
}

interface Watchers {
  /** Learns of each run; null: nobody does. */
  readonly watch?: StatementWatch | null;
  /** Gets the seconds of each that gives rows. */
  readonly durations?: Histogram;
  /** Learns of those that write content. */
  readonly writes?: ContentWrites;
}

/** Prepares statements of a connection, and keeps a bounded number of them. */
export function keptStatements(
  connection: DatabaseSync,
  { watch = null, durations, writes }: Watchers = {},
): (text: string) => KeptStatement {
  const statements = new Map<string, KeptStatement>();
  return (text) => {
    const known = statements.get(text);
    if (known !== undefined) {
      // To the end of the line: the one that nobody has used for the longest is dropped first.
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const [oldest] = statements.keys();
    if (oldest !== undefined && statements.size >= STATEMENTS) statements.delete(oldest);
    const made = watched(keptStatement(connection, text, durations, writes), text, watch);
    statements.set(text, made);
    return made;
  };
}

/** Runs it, and returns how many rows it changed. */
export function changedBy(statement: KeptStatement, parameters: readonly unknown[]): number {
  if (!statement.reader) return Number(statement.run(parameters).changes);
  statement.all(parameters);
  return 0;
}

function keptStatement(
  connection: DatabaseSync,
  text: string,
  durations?: Histogram,
  writes?: ContentWrites,
): KeptStatement {
  const [statement, note] = translated(() => writes?.prepare(text) ?? [connection.prepare(text), () => {}]);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => {
      note();
      const began = performance.now();
      const rows = translated(() => statement.all(...(parameters as SQLInputValue[])));
      durations?.observe((performance.now() - began) / 1_000);
      return rows;
    },
    run: (parameters) => {
      note();
      return translated(() => statement.run(...(parameters as SQLInputValue[])));
    },
    iterate: (parameters) => {
      note();
      return translated(() => statement.iterate(...(parameters as SQLInputValue[])));
    },
  };
}

function watched(statement: KeptStatement, text: string, watch: StatementWatch | null): KeptStatement {
  if (watch === null) return statement;
  function run<T>(work: () => T, rowsOf: (result: T) => number): T {
    const startedAt = performance.now();
    try {
      const result = work();
      watch?.ran(text, startedAt, rowsOf(result));
      return result;
    } catch (error) {
      watch?.ran(text, startedAt, 0, error);
      throw error;
    }
  }
  return {
    ...statement,
    all: (parameters) =>
      run(
        () => statement.all(parameters),
        (rows) => rows.length,
      ),
    run: (parameters) =>
      run(
        () => statement.run(parameters),
        ({ changes }) => Number(changes),
      ),
  };
}

/** The plan of a statement, for which SQLite needs no values: https://www.sqlite.org/eqp.html */
export function explainOn(connection: DatabaseSync): Explain {
  return async (text) => {
    const rows = connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as { detail: string }[];
    return rows.map(({ detail }) => detail);
  };
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteError(error);
  }
}

import type { CompiledQuery, Expression, Kysely, RawBuilder } from "kysely";
import type { Change, ChangeListener } from "../../domain/change.ts";
import type { Id } from "../../domain/id.ts";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Log } from "../../observe/log.ts";
import type { Schema } from "./schema.ts";
import type { SearchDialect } from "./search.ts";

/** A compiled query without the tree that it was made of, which is larger than all else that is kept of a document. */
export type RowQuery = Pick<CompiledQuery, "sql" | "parameters">;

/**
 * The interface of a driver (sqlite.ts, postgres.ts) for the stores. Every query is written once, against it. Statements
 * that differ between the databases are in `Dialect`.
 *
 * Everything here throws AppError only: a driver translates its error codes itself.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Reads what is committed. Never sees the inside of a write that is under way. */
  readonly read: Kysely<Schema>;

  /**
   * The one door for writing. Resolves when the job's writes are durable and `read` sees them; rejects with what the
   * job threw, and then nothing of it is there. A job does nothing but database work on the `tx` it is given: it may
   * share a commit with others, which wait for it.
   *
   * @param patience milliseconds to wait for other processes, defaults to 5,000
   */
  write<T>(job: (tx: Kysely<Schema>) => Promise<T>, patience?: number): Promise<T>;

  /**
   * Writes what is known beforehand: all of the queries or none, as `write` does, but sent in one go.
   *
   * @param isRight is told how many rows each changed; when it says no, nothing is written. Takes one more round trip.
   * @param author the only person whose content is written, where that is so: what is kept of others stays true
   * @returns how many rows each changed, or would have
   */
  writeAtOnce(
    queries: readonly CompiledQuery[],
    isRight?: (changed: readonly number[]) => boolean,
    author?: Id,
  ): Promise<readonly number[]>;

  /**
   * As `writeAtOnce`, for small writes that many make at the same time: they may share a transaction, in which each reads rows
   * of texts after it has written.
   *
   * @param author as for `writeAtOnce`
   * @returns a row for each reading; null where they have to be read afterwards
   */
  writeTogether(
    queries: readonly CompiledQuery[],
    readings: readonly Reading[],
    author?: Id,
  ): Promise<readonly Row[] | null>;

  /**
   * Prepares a read of at most one row, for the paths where each microsecond counts.
   * @param content where what it gives is asked for by many, and may be kept in memory
   */
  prepareRow(query: RowQuery, content?: Content): RowStatement;

  /**
   * Reports changes by other processes, all kinds but events: by id if they announce it, and always within half a
   * second by `id: null`. Changes by this process may be included.
   *
   * @returns how to end it
   */
  follow(tell: ChangeListener): () => void;

  /** Milliseconds after which changes of other processes count as possible. Defaults to 500. */
  readonly pollEvery?: number;

  /**
   * To be called when the schema is up to date, by a process that serves: tests what the server promises, and selects
   * substitutes for what does nothing.
   *
   * @throws AppError UNAVAILABLE where there is no substitute
   */
  prove?(log: Log): Promise<void>;

  /** As `Store.heldVersion`. */
  heldVersion?(): number | null;

  /** As `Store.rest`. Missing where nothing is kept. */
  rest?(): void;

  /** To be called before the schema is changed. @throws AppError UNAVAILABLE where half a migration could stay */
  proveMigrations?(): Promise<void>;
  /** Whether changes by other processes are announced here at this moment; null where nothing is announced. */
  hears?(): boolean | null;

  /**
   * Runs one statement outside of a transaction, such as one that builds an index while others write. Missing where that needs a
   * transaction like any other.
   *
   * @param patience milliseconds that the statement may take
   */
  runAlone?(statement: RawBuilder<unknown>, patience: number): Promise<void>;

  /**
   * To be called when the schema is up to date. From then on, what is needed to undo a write is kept in memory, where files are
   * slow: a migration may need more of it than there is.
   */
  expectSmallWrites?(): void;

  close(): Promise<void>;
}

/** Data that a statement reads: it may change with any write, or only with a write about one person. */
export interface Content {
  /** Slot of the id of that person; null where it reads of others too, or of whatever has certain words. */
  readonly author: number | null;
}

export interface RowStatement {
  readonly query: RowQuery;
  /** The columns of the row in order, or undefined when there is none. Synchronous where the database is in process. */
  run(values: SlotValues): Row | undefined | Promise<Row | undefined>;
  /**
   * For values that are asked for again and again.
   *
   * @returns what gives the result of `run` from memory, or null where it has to be asked; null where nothing is kept in memory
   */
  hold?(values: SlotValues): (() => Row | undefined | null) | null;
}

export interface Reading {
  readonly statement: RowStatement;
  readonly values: SlotValues;
}

export type Row = readonly unknown[];

export interface Dialect {
  /** Text that compares by code point. */
  readonly text: RawBuilder<unknown>;
  /** Whole numbers up to 2^53. */
  readonly wholeNumber: RawBuilder<unknown>;
  /** Whole numbers that a table counts up by itself, as its primary key. */
  readonly rowNumber: RawBuilder<unknown>;
  /** Follows the closing parenthesis of CREATE TABLE. */
  readonly tableOptions: RawBuilder<unknown>;
  /** The same for a table of small rows that are found by their primary key. */
  readonly keyedTableOptions: RawBuilder<unknown>;
  /** SQL for Unix time in milliseconds by the clock of the database, which is one for all processes. */
  readonly nowMs: RawBuilder<number>;
  /** Whether one write ends before the next begins, here and in every other process. */
  readonly writesOneByOne: boolean;
  /** Whether gates are rows of the table `gates`, which must then be there before the first migration. */
  readonly locksRows: boolean;
  /** SQL for the bytes of the whole database. */
  readonly databaseBytes: RawBuilder<number>;
  /** SQL for the processes of this program that use the database; null where it does not know them. */
  readonly processes: RawBuilder<number | null>;
  /** A column in a condition for which a database without statistics shall not choose an index. */
  notByIndex(column: string): RawBuilder<unknown>;
  /** Whether a statement whose LIMIT is a parameter is planned anew on every run, for the limit that it brings. */
  readonly plansByLimits: boolean;
  /** SQL that turns a text into its JSON string, equal to JSON.stringify byte for byte. */
  quote(text: Expression<string>): RawBuilder<string>;
  /** SQL for texts one after another, none of them null. */
  join(texts: readonly Expression<string>[]): RawBuilder<string>;
  /** SQL for a table of the strings of a JSON array, in columns `position` and `value`. */
  elements(array: Expression<string>): RawBuilder<unknown>;
  /** SQL that says whether a value is one of the few that a query gives, which the database reads first. */
  isOneOfFew(value: Expression<string>, query: RawBuilder<unknown>): RawBuilder<boolean>;
  readonly search: SearchDialect;
  /** A statement that announces a change to other processes when its transaction commits; null where they see for themselves. */
  announcement(change: Change): RawBuilder<unknown> | null;
  hasTable(db: Kysely<Schema>, table: keyof Schema): Promise<boolean>;
  /** SQL for a table of the columns of a table, in column `name`. */
  columnsOf(table: string): RawBuilder<unknown>;
  /** `building`: somebody builds it now. `broken`: somebody did, and was killed. */
  indexState(db: Kysely<Schema>, index: string): Promise<"missing" | "building" | "broken" | "whole">;
  /** SQL for about how many rows a table has. */
  countRows(table: keyof Schema): RawBuilder<number>;
  /** Whether another attempt may succeed as soon as others have ended what they do. */
  isBusy(error: unknown): boolean;
  /** Until the transaction ends, nobody else adds rows to the table. */
  lock(tx: Kysely<Schema>, table: keyof Schema): Promise<void>;
  /**
   * SQL for a value that is being written. Its transaction is inside the gate before the row is written and until it
   * ends. Any number of transactions may be inside; a null gate is none.
   */
  entering<T>(gate: Expression<string | null>, value: Expression<T>): RawBuilder<T>;
  /** SQL for an id that follows `last`: `candidate`, or else one made from `last`, or null where there is none at hand. */
  following(last: Expression<string>, candidate: Expression<Id>): RawBuilder<Id>;
  /** SQL for the time one millisecond after another one, both as they are stored. */
  nextMillisecond(time: Expression<string>): RawBuilder<string>;
  /** Waits until nobody is inside the gate, and keeps it shut until the transaction ends. */
  shut(tx: Kysely<Schema>, gate: string): Promise<void>;
  /** The same without waiting, and without a snapshot afterwards. @returns whether the gate is shut */
  tryShut(tx: Kysely<Schema>, gate: string): Promise<boolean>;
}

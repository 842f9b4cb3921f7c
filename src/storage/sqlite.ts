import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { type CompiledQuery, type Kysely, sql } from "kysely";
import { CHANGE_KINDS, type ChangeListener } from "../domain/change.ts";
import { AppError } from "../domain/errors.ts";
import type { Database, Dialect, RowStatement } from "./database.ts";
import { RowCache } from "./row-cache.ts";
import type { Schema } from "./schema.ts";
import { SharedSnapshot } from "./shared-snapshot.ts";
import { isBusy, sqliteError } from "./sqlite-errors.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import { SqliteRowStatement } from "./sqlite-row.ts";
import { SearchIndex, sqliteSearch } from "./sqlite-search.ts";
import { changedBy, type KeptStatement, keptStatements, kyselyOver } from "./sqlite-statements.ts";

/** Milliseconds that a write waits for another process. */
const PATIENCE = 5_000;
/** Writes that share one commit at the most: bounds how long the first of them waits. */
const BATCH_SIZE = 64;
/** Milliseconds between two looks for commits of other processes. */
const FOLLOW_EVERY = 250;
/** Milliseconds that a batch waits for more at the most. */
const GATHER_TIME = 50;
/** Thrown by a job to have nothing written. */
const REFUSED = Symbol("refused");

const dialect: Dialect = {
  text: sql`text`,
  wholeNumber: sql`integer`,
  rowNumber: sql`integer primary key`,
  tableOptions: sql`strict`,
  keyedTableOptions: sql`strict, without rowid`,
  plansByLimits: false, // not behind a cast: see limitParam
  quote: (text) => sql<string>`json_quote(${text})`,
  join: (texts) => sql<string>`concat(${sql.join(texts)})`,
  elements: (array) => sql`(select key as position, value from json_each(${array}))`,
  search: sqliteSearch,
  announcement: () => null,
  hasTable: async (db, table) =>
    (await sql`select 1 from sqlite_schema where type = 'table' and name = ${table}`.execute(db)).rows.length > 0,
  writesOneByOne: true, // whoever writes holds the whole database, and so:
  lock: async () => {},
  entering: (_gate, value) => sql`${value}`,
  shut: async () => {},
  following: (last, candidate) => sql`case when ${last} < ${candidate} then ${candidate} end`,
};

interface Job {
  readonly run: (tx: Kysely<Schema>) => Promise<unknown>;
  readonly patience: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * SQLite in this process: one connection that writes, one that only reads.
 *
 * Writes are durable when acknowledged (WAL, synchronous=FULL). Those that wait at the same time share one commit,
 * because syncing the disk costs ten times as much as the writing; a savepoint each keeps them apart.
 *
 * @param options `readCache`: bytes for rows that have been read, about
 * @throws AppError UNAVAILABLE or INTERNAL with a message for the operator
 */
export async function openSqlite(
  path: string,
  { mustExist, readCache }: { mustExist: boolean; readCache: number },
): Promise<Database> {
  return new SqliteDatabase(await openSqliteFile(path, { mustExist }), { readCache });
}

class SqliteDatabase implements Database {
  readonly dialect = dialect;
  readonly read: Kysely<Schema>;
  readonly #writer: DatabaseSync;
  readonly #reader: DatabaseSync;
  readonly #prepare: (text: string) => KeptStatement;
  readonly #tx: Kysely<Schema>;
  readonly #cache: RowCache;
  readonly #snapshot: SharedSnapshot;
  readonly #searchIndex: SearchIndex;
  readonly #queue: Job[] = [];
  #draining: Promise<void> | null = null;
  #closed = false;
  /** Milliseconds that the latest batch took. */
  #commitTime = 0;

  constructor(connections: { writer: DatabaseSync; reader: DatabaseSync }, options: { readCache: number }) {
    this.#writer = connections.writer;
    this.#reader = connections.reader;
    this.#prepare = keptStatements(this.#writer);
    this.#tx = kyselyOver(this.#prepare);
    this.#cache = new RowCache(options.readCache);
    this.#snapshot = new SharedSnapshot(this.#reader, () => this.#cache.clear());
    this.#searchIndex = new SearchIndex(this.#writer);
    this.read = kyselyOver(keptStatements(this.#reader));
  }

  write<T>(run: (tx: Kysely<Schema>) => Promise<T>, patience = PATIENCE): Promise<T> {
    if (this.#closed) return Promise.reject(new AppError("UNAVAILABLE", "The database is closed."));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run, patience, resolve: (value) => resolve(value as T), reject });
      this.#draining ??= this.#drain();
    });
  }

  async writeAtOnce(
    queries: readonly CompiledQuery[],
    isRight: (changed: readonly number[]) => boolean = () => true,
  ): Promise<readonly number[]> {
    const changed: number[] = [];
    try {
      await this.write(async () => {
        for (const { sql: text, parameters } of queries) changed.push(changedBy(this.#prepare(text), parameters));
        if (!isRight(changed)) throw REFUSED;
      });
    } catch (error) {
      if (error !== REFUSED) throw error;
    }
    return changed;
  }

  prepareRow(query: CompiledQuery, isContent = false): RowStatement {
    return new SqliteRowStatement(this.#reader, this.#snapshot, isContent ? this.#cache : null, query);
  }

  /** What others wrote is not seen, only that they wrote: https://www.sqlite.org/pragma.html#pragma_data_version */
  follow(tell: ChangeListener): () => void {
    const look = this.#writer.prepare("PRAGMA data_version");
    let last: unknown = null;
    const timer = setInterval(() => {
      try {
        const version = look.get()?.data_version;
        if (version === last) return;
        last = version;
      } catch {
        // Everything may have changed, then.
      }
      for (const kind of CHANGE_KINDS) if (kind !== "event") tell({ kind, id: null });
    }, FOLLOW_EVERY).unref();
    return () => clearInterval(timer);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    if (!this.#writer.isOpen) return;
    try {
      this.#snapshot.end();
      this.#reader.close();
      this.#writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (error) {
      throw sqliteError(error);
    } finally {
      this.#writer.close();
    }
  }

  /** Waits a turn of the event loop before each batch, so that all the writes that this turn brings are in it. */
  async #drain(): Promise<void> {
    try {
      await nextTurn();
      while (this.#queue.length > 0) {
        await this.#gather();
        const begun = performance.now();
        await this.#commitTogether(this.#queue.splice(0, BATCH_SIZE));
        this.#commitTime = performance.now() - begun;
        await nextTurn();
      }
    } finally {
      this.#draining = null;
    }
  }

  /** As long as each turn brings more writes, they are waited for: no longer than a commit takes, which each would need. */
  async #gather(): Promise<void> {
    const deadline = performance.now() + Math.min(this.#commitTime, GATHER_TIME);
    let known = 0;
    while (this.#queue.length > known && this.#queue.length < BATCH_SIZE && performance.now() < deadline) {
      known = this.#queue.length;
      await nextTurn();
    }
  }

  async #commitTogether(batch: readonly Job[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      await this.#begin(Math.max(...batch.map((job) => job.patience)));
      for (const job of batch) settle.push(await this.#runApart(job));
      this.#searchIndex.catchUp();
      this.#writer.exec("COMMIT");
    } catch (error) {
      const reason = sqliteError(error);
      try {
        if (this.#writer.isTransaction) this.#writer.exec("ROLLBACK");
      } finally {
        for (const job of batch) job.reject(reason);
      }
      return;
    }
    this.#snapshot.end();
    for (const tell of settle) tell();
  }

  /** Waits without blocking the event loop, as SQLite's own busy handler would. */
  async #begin(patience: number): Promise<void> {
    const deadline = performance.now() + patience;
    for (let longest = 1; ; longest = Math.min(longest * 2, 16)) {
      try {
        this.#writer.exec("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
      await pause(Math.random() * longest);
    }
  }

  /**
   * @returns how to tell the caller once the batch is durable
   * @throws what made SQLite give up the whole transaction, such as a full disk
   */
  async #runApart(job: Job): Promise<() => void> {
    this.#writer.exec("SAVEPOINT job");
    try {
      const value = await job.run(this.#tx);
      this.#writer.exec("RELEASE job");
      return () => job.resolve(value);
    } catch (error) {
      if (!this.#writer.isTransaction) throw error;
      this.#writer.exec("ROLLBACK TO job; RELEASE job");
      return () => job.reject(error);
    }
  }
}

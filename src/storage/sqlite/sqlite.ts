import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { CompiledQuery, Kysely } from "kysely";
import type { ChangeListener } from "../../domain/change.ts";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Log } from "../../observe/log.ts";
import type { Content, Database, RowQuery, RowStatement } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { sqliteDialect } from "./dialect.ts";
import { isBusy, sqliteError } from "./errors.ts";
import { openSqliteFile } from "./file.ts";
import { followCommits } from "./follow-commits.ts";
import { type Reader, SqliteRowStatement } from "./row.ts";
import { RowCache } from "./row-cache.ts";
import { SearchIndex } from "./search.ts";
import { SharedSnapshot } from "./shared-snapshot.ts";
import { changedBy, type KeptStatement, keptStatements, kyselyOver, mayWriteContent } from "./statements.ts";
import { WriteAheadLog } from "./write-ahead-log.ts";

/** Milliseconds that a write waits for another process. */
const PATIENCE = 5_000;
/** Writes that share one commit at the most: bounds how long the first of them waits. */
const BATCH_SIZE = 64;
/** Writes that are done, or told of, in one turn of the event loop: bounds how long a read waits. */
const SLICE = 8;
/** Milliseconds that a batch waits for more at the most. */
const GATHER_TIME = 50;
/** Thrown by a job to have nothing written. */
const REFUSED = Symbol("refused");

interface Job {
  readonly run: (tx: Kysely<Schema>) => Promise<unknown>;
  readonly patience: number;
  /** The only one whose content is written; null where nobody's is. */
  readonly author: Id | null | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface SqliteOptions {
  /** Whether a file that is missing is an error; else it is made. */
  readonly mustExist: boolean;
  /** Bytes for rows that have been read, about. */
  readonly readCache?: number;
  /**
   * Whether this is the one process that serves the database. It then waits for the disk on other threads; its readers may
   * see a change some milliseconds before it is durable and acknowledged.
   */
  readonly isAlone?: boolean;
  /** Told when the log cannot be brought into the file. */
  readonly log?: Log;
}

/**
 * SQLite in this process: one connection that writes, one that only reads.
 *
 * Writes are durable when acknowledged: SQLite waits for the disk at each commit (WAL, synchronous=FULL), or
 * `WriteAheadLog` does. Those that wait at the same time share one commit, because syncing the disk costs ten times as
 * much as the writing; a savepoint each keeps them apart.
 *
 * @throws AppError UNAVAILABLE or INTERNAL with a message for the operator
 */
export async function openSqlite(path: string, options: SqliteOptions): Promise<Database> {
  const connections = await openSqliteFile(path, options);
  const log = options.isAlone ? new WriteAheadLog(path, connections.writer, options.log) : null;
  return new SqliteDatabase(connections, log, options.readCache ?? 0);
}

class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly read: Kysely<Schema>;
  readonly #writer: DatabaseSync;
  readonly #reader: Reader;
  /** null: SQLite syncs at each commit. */
  readonly #log: WriteAheadLog | null;
  readonly #control: Readonly<Record<"begin" | "commit" | "save" | "release" | "undo", StatementSync>>;
  readonly #prepare: (text: string) => KeptStatement;
  readonly #tx: Kysely<Schema>;
  readonly #searchIndex: SearchIndex;
  readonly #queue: Job[] = [];
  #draining: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  /** Milliseconds that the latest batch took. */
  #commitTime = 0;
  /** Lets a batch that waits for more know that there is more. */
  #arrived: (() => void) | null = null;
  /** The outcomes of the latest batch, as long as not all of them are told. */
  #telling: Promise<void> | null = null;

  constructor(
    connections: { writer: DatabaseSync; reader: DatabaseSync },
    log: WriteAheadLog | null,
    readCache: number,
  ) {
    this.#writer = connections.writer;
    this.#log = log;
    this.#control = {
      begin: this.#writer.prepare("BEGIN IMMEDIATE"),
      commit: this.#writer.prepare("COMMIT"),
      save: this.#writer.prepare("SAVEPOINT job"),
      release: this.#writer.prepare("RELEASE job"),
      undo: this.#writer.prepare("ROLLBACK TO job"),
    };
    this.#prepare = keptStatements(this.#writer);
    this.#tx = kyselyOver(this.#prepare);
    const connection = connections.reader;
    const cache = new RowCache(readCache);
    this.#reader = { connection, cache, snapshot: new SharedSnapshot(connection, this.#writer, cache) };
    this.#searchIndex = new SearchIndex(this.#writer);
    this.read = kyselyOver(keptStatements(connection));
  }

  write<T>(run: (tx: Kysely<Schema>) => Promise<T>, patience = PATIENCE, author?: Id | null): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new AppError("UNAVAILABLE", "The database is closed."));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run, patience, author, resolve: (value) => resolve(value as T), reject });
      this.#arrived?.();
      this.#draining ??= this.#drain();
    });
  }

  async writeAtOnce(
    queries: readonly CompiledQuery[],
    isRight: (changed: readonly number[]) => boolean = () => true,
    author?: Id,
  ): Promise<readonly number[]> {
    const changed: number[] = [];
    try {
      const run = async () => {
        for (const { sql: text, parameters } of queries) changed.push(changedBy(this.#prepare(text), parameters));
        if (!isRight(changed)) throw REFUSED;
      };
      await this.write(run, PATIENCE, author ?? (queries.some(mayWriteContent) ? undefined : null));
    } catch (error) {
      if (error !== REFUSED) throw error;
    }
    return changed;
  }

  prepareRow(query: RowQuery, content?: Content): RowStatement {
    return new SqliteRowStatement(this.#reader, query, content);
  }

  follow(tell: ChangeListener): () => void {
    return followCommits(this.#writer, tell);
  }

  /** Each savepoint notes some twenty pages: written to a file, a seventh of what a post costs. https://sqlite.org/tempfiles.html */
  expectSmallWrites(): void {
    this.#writer.exec("PRAGMA temp_store = MEMORY");
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#draining;
    await this.#telling;
    try {
      await this.#log?.close();
      this.#reader.snapshot.end();
      this.#reader.connection.close();
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
        if (this.#log === null) await this.#gather();
        const begun = performance.now();
        await this.#commitTogether();
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

  /** Commits what waits, and what comes as long as the commit before is not on the disk. */
  async #commitTogether(): Promise<void> {
    const batch: Job[] = [];
    const outcomes: (() => void)[] = [];
    const log = this.#log;
    try {
      await this.#begin(Math.max(...this.#queue.slice(0, BATCH_SIZE).map((job) => job.patience)));
      do {
        const slice = this.#queue.splice(0, Math.min(SLICE, BATCH_SIZE - batch.length));
        batch.push(...slice);
        for (const job of slice) outcomes.push(await this.#runApart(job));
      } while (batch.length < BATCH_SIZE && (await this.#isMoreToCome()));
      this.#searchIndex.catchUp();
      await log?.assertSynced();
      this.#control.commit.run();
    } catch (error) {
      const reason = sqliteError(error);
      try {
        if (this.#writer.isTransaction) this.#writer.exec("ROLLBACK");
        this.#reader.snapshot.end();
      } finally {
        this.#reader.cache.clear();
        if (batch.length === 0) batch.push(...this.#queue.splice(0, BATCH_SIZE)); // it could not even begin
        for (const job of batch) job.reject(reason);
      }
      return;
    }
    for (const { author } of batch) this.#reader.cache.forget(author);
    this.#reader.snapshot.end();
    if (log === null) return this.#tell(outcomes);
    this.#telling = this.#tellWhenSynced(this.#telling, log.sync(), { batch, outcomes });
  }

  async #isMoreToCome(): Promise<boolean> {
    if (this.#queue.length > 0) {
      await nextTurn(); // lets others have theirs
      return true;
    }
    if (!this.#log?.isSyncing) return false;
    const arrival = new Promise<void>((resolve) => {
      this.#arrived = resolve;
    });
    await Promise.race([arrival, this.#log.synced()]);
    this.#arrived = null;
    return this.#queue.length > 0;
  }

  /** In the order of the commits, though the next may be on the disk while these are still being told. */
  async #tellWhenSynced(
    before: Promise<void> | null,
    synced: Promise<void>,
    { batch, outcomes }: { batch: readonly Job[]; outcomes: readonly (() => void)[] },
  ): Promise<void> {
    try {
      await synced;
    } catch (reason) {
      for (const job of batch) job.reject(reason);
      return;
    }
    await before;
    await this.#tell(outcomes);
  }

  async #tell(outcomes: readonly (() => void)[]): Promise<void> {
    for (const [index, tell] of outcomes.entries()) {
      if (index > 0 && index % SLICE === 0) await nextTurn();
      tell();
    }
  }

  /** Waits without blocking the event loop, as SQLite's own busy handler would. */
  async #begin(patience: number): Promise<void> {
    if (this.#log?.isDoubtful) {
      this.#reader.snapshot.end();
      await this.#log.repair();
    }
    await this.#log?.keepShort();
    const deadline = performance.now() + patience;
    for (let longest = 1; ; longest = Math.min(longest * 2, 16)) {
      try {
        this.#control.begin.run();
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
    this.#control.save.run();
    try {
      const value = await job.run(this.#tx);
      this.#control.release.run();
      return () => job.resolve(value);
    } catch (error) {
      if (!this.#writer.isTransaction) throw error;
      this.#control.undo.run();
      this.#control.release.run();
      return () => job.reject(error);
    }
  }
}

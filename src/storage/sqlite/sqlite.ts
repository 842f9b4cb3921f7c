import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { CompiledQuery, Kysely } from "kysely";
import type { ChangeListener } from "../../domain/change.ts";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { Log } from "../../observe/log.ts";
import { type Metrics, openMetrics } from "../../observe/metrics.ts";
import { currentRecord } from "../../observe/request-record.ts";
import type { StatementWatch } from "../../observe/statement-watch.ts";
import type { Content, Database, Reading, Row, RowQuery, RowStatement } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { bindParameters } from "../database/statement.ts";
import { ContentWrites } from "./content-writes.ts";
import { sqliteDialect } from "./dialect.ts";
import { sqliteError } from "./errors.ts";
import { openSqliteFile } from "./file.ts";
import { followCommits } from "./follow-commits.ts";
import { type Reader, SqliteRowStatement } from "./row.ts";
import { ANYBODY, type Owner, RowCache } from "./row-cache.ts";
import { SharedSnapshot } from "./shared-snapshot.ts";
import { changedBy, explainOn, type KeptStatement, keptStatements, kyselyOver } from "./statements.ts";
import { WriteAheadLog } from "./write-ahead-log.ts";
import { WriteQueue } from "./write-queue.ts";

/** Milliseconds that a write waits for another process. */
const PATIENCE = 5_000;
/** Thrown by a write so that nothing of it is written. */
const REFUSED = Symbol("refused");

export interface SqliteOptions {
  /** Whether a missing file is an error. Otherwise it is created. */
  readonly mustExist: boolean;
  /** Bytes, about, for rows that have been read. */
  readonly readCache?: number;
  /**
   * Whether this is the one process that serves the database. It then waits for the disk on other threads; its readers may
   * see a change some milliseconds before it is durable and acknowledged.
   */
  readonly isAlone?: boolean;
  /** Learns of each statement; null: nobody does (the default). */
  readonly statements?: StatementWatch | null;
  /** Is notified when the log cannot be brought into the file. */
  readonly log?: Log;
  readonly metrics?: Metrics;
}

/**
 * SQLite in this process: one connection that writes, one that only reads.
 *
 * Writes are durable when acknowledged: SQLite waits for the disk at each commit (WAL, synchronous=FULL), or
 * `WriteAheadLog` does.
 *
 * @throws AppError UNAVAILABLE or INTERNAL with a message for the operator
 */
export async function openSqlite(path: string, options: SqliteOptions): Promise<Database> {
  const connections = await openSqliteFile(path, options);
  const log = options.isAlone ? new WriteAheadLog(path, connections.writer, options.log) : null;
  const { metrics = openMetrics(), statements = null, readCache = 0 } = options;
  metrics.gauge("sqlite_wal_bytes", () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  return new SqliteDatabase(connections, log, { readCache, metrics, statements });
}

class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly read: Kysely<Schema>;
  readonly #writer: DatabaseSync;
  readonly #reader: Reader;
  /** null: SQLite syncs at each commit. */
  readonly #log: WriteAheadLog | null;
  readonly #prepare: (text: string) => KeptStatement;
  readonly #queue: WriteQueue;
  #closing: Promise<void> | null = null;

  constructor(
    connections: { writer: DatabaseSync; reader: DatabaseSync },
    log: WriteAheadLog | null,
    { readCache, metrics, statements }: Required<Pick<SqliteOptions, "readCache" | "metrics" | "statements">>,
  ) {
    this.#writer = connections.writer;
    this.#log = log;
    const writes = new ContentWrites(this.#writer);
    this.#prepare = keptStatements(this.#writer, { watch: statements, writes });
    const connection = connections.reader;
    const cache = new RowCache(readCache);
    const durations = (operation: "read" | "query") =>
      metrics.histogram("db_operation_duration_seconds", operation, "primary");
    this.#reader = {
      ...{ connection, cache, statements, durations: durations("read") },
      snapshot: new SharedSnapshot(connection, cache),
    };
    const tx = kyselyOver(this.#prepare);
    this.#queue = new WriteQueue({ writer: this.#writer, tx, log, reader: this.#reader, writes, metrics });
    this.read = kyselyOver(keptStatements(connection, { watch: statements, durations: durations("query") }));
    if (statements !== null) statements.explain = explainOn(connection);
  }

  write<T>(run: (tx: Kysely<Schema>) => Promise<T>, patience = PATIENCE): Promise<T> {
    return this.#write(run, patience, ANYBODY);
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
      await this.#write(run, PATIENCE, author ?? ANYBODY);
    } catch (error) {
      if (error !== REFUSED) throw error;
    }
    return changed;
  }

  async writeTogether(
    queries: readonly CompiledQuery[],
    readings: readonly Reading[],
    author?: Id,
  ): Promise<readonly Row[]> {
    const run = async () => {
      for (const { sql: text, parameters } of queries) changedBy(this.#prepare(text), parameters);
      return readings.map(({ statement: { query }, values }) => {
        const [row] = this.#prepare(query.sql).all(bindParameters(query, values)) as object[];
        return row === undefined ? [] : Object.values(row);
      });
    };
    return this.#write(run, PATIENCE, author ?? ANYBODY);
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

  heldVersion(): number | null {
    const { snapshot, cache } = this.#reader;
    try {
      snapshot.use();
      return cache.version;
    } catch {
      return null; // whoever reads is told
    }
  }

  /** Pages of both connections: the system has them too. https://sqlite.org/pragma.html#pragma_shrink_memory */
  rest(): void {
    if (this.#closing !== null) return;
    this.#reader.cache.clear();
    for (const connection of [this.#reader.connection, this.#writer]) connection.exec("PRAGMA shrink_memory");
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #write<T>(run: (tx: Kysely<Schema>) => Promise<T>, patience: number, owner: Owner): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new AppError("UNAVAILABLE", "The database is closed."));
    const record = this.#reader.statements === null ? undefined : currentRecord();
    return this.#queue.add({ run, patience, owner, record });
  }

  async #close(): Promise<void> {
    await this.#queue.finish();
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
}

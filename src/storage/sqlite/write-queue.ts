import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Metrics } from "../../observe/metrics.ts";
import { withRecord } from "../../observe/request-record.ts";
import type { Counter, Histogram } from "../../observe/series.ts";
import type { Schema } from "../database/schema.ts";
import { beginPatiently } from "./begin-patiently.ts";
import { ContentVersion } from "./content-version.ts";
import type { ContentWrites } from "./content-writes.ts";
import { sqliteError } from "./errors.ts";
import type { Reader } from "./row.ts";
import { NOBODY, type Owner } from "./row-cache.ts";
import { SearchIndex } from "./search.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";
import { type Job, observedJob, type Write } from "./write-job.ts";

/** Writes that share one commit: bounds how long the first of them waits. */
const BATCH_SIZE = 64;
/** Writes that run, or whose callers are notified, in one turn of the event loop: bounds how long a read waits. */
const SLICE = 8;
/** Milliseconds that a batch waits for more writes: bounds what one of them loses. */
const GATHER_TIME = 50;

interface Parts {
  readonly writer: DatabaseSync;
  /** Queries on `writer`. */
  readonly tx: Kysely<Schema>;
  /** null: SQLite syncs at each commit. */
  readonly log: WriteAheadLog | null;
  /** Learns of each commit. */
  readonly reader: Reader;
  /** Knows which statements of `writer` wrote content. */
  readonly writes: ContentWrites;
  readonly metrics: Metrics;
}

/**
 * Runs writes one after another. Writes that wait at the same time share one commit, because syncing the disk costs ten
 * times as much as the writing. Each has a savepoint of its own, so that one that fails takes no other with it.
 */
export class WriteQueue {
  readonly #writer: DatabaseSync;
  readonly #tx: Kysely<Schema>;
  readonly #log: WriteAheadLog | null;
  readonly #reader: Reader;
  readonly #writes: ContentWrites;
  readonly #control: Readonly<Record<"begin" | "commit" | "save" | "release" | "undo", StatementSync>>;
  readonly #searchIndex: SearchIndex;
  readonly #contentVersion: ContentVersion;
  readonly #durations: Histogram;
  readonly #busy: Counter;
  readonly #queue: Job[] = [];
  #draining: Promise<void> | null = null;
  /** Milliseconds that the latest batch took. */
  #commitTime = 0;
  /** Wakes a batch that waits for more writes. */
  #arrived: (() => void) | null = null;
  /** Notifies the callers of the latest batches. */
  #telling: Promise<void> | null = null;

  constructor({ writer, tx, log, reader, writes, metrics }: Parts) {
    this.#durations = metrics.histogram("db_operation_duration_seconds", "write", "primary");
    this.#busy = metrics.counter("sqlite_busy_total");
    this.#writer = writer;
    this.#tx = tx;
    this.#log = log;
    this.#reader = reader;
    this.#writes = writes;
    this.#control = {
      begin: writer.prepare("BEGIN IMMEDIATE"),
      commit: writer.prepare("COMMIT"),
      save: writer.prepare("SAVEPOINT job"),
      release: writer.prepare("RELEASE job"),
      undo: writer.prepare("ROLLBACK TO job"),
    };
    this.#searchIndex = new SearchIndex(writer);
    this.#contentVersion = new ContentVersion(writer);
  }

  /** @returns what `run` gives, once its writes are durable */
  add<T>(write: Write<T>): Promise<T> {
    const since = performance.now();
    const ended = () => this.#durations.observe((performance.now() - since) / 1_000);
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        ...{ ...write, since },
        resolve: (value) => {
          ended();
          resolve(value as T);
        },
        reject: (reason) => {
          ended();
          reject(reason);
        },
      });
      this.#arrived?.();
      this.#draining ??= withRecord(undefined, () => this.#drain());
    });
  }

  /** Resolves when every write has run and every caller has been notified. */
  async finish(): Promise<void> {
    await this.#draining;
    await this.#telling;
  }

  /** Waits a turn of the event loop before each batch, so that the batch has all writes that this turn brings. */
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

  /** Waits as long as each turn brings more writes, but no longer than the commit that each would otherwise need. */
  async #gather(): Promise<void> {
    const deadline = performance.now() + Math.min(this.#commitTime, GATHER_TIME);
    let known = 0;
    while (this.#queue.length > known && this.#queue.length < BATCH_SIZE && performance.now() < deadline) {
      known = this.#queue.length;
      await nextTurn();
    }
  }

  /** Commits the writes that wait, and those that arrive until the commit before is on the disk. */
  async #commitTogether(): Promise<void> {
    const batch: Job[] = [];
    const outcomes: (() => void)[] = [];
    const owners: Owner[] = [];
    const log = this.#log;
    let raised: number | null;
    try {
      await this.#begin(Math.max(...this.#queue.slice(0, BATCH_SIZE).map((job) => job.patience)));
      const before = this.#contentVersion.read();
      do {
        const slice = this.#queue.splice(0, Math.min(SLICE, BATCH_SIZE - batch.length));
        batch.push(...slice);
        for (const job of slice) {
          this.#writes.happened = false;
          outcomes.push(await this.#runApart(job));
          if (this.#writes.happened) owners.push(job.owner);
        }
      } while (batch.length < BATCH_SIZE && (await this.#isMoreToCome()));
      if (this.#searchIndex.catchUp()) owners.push(NOBODY);
      await log?.assertSynced();
      await log?.syncOthers();
      const after = this.#contentVersion.read();
      raised = before === null || after === null ? null : after - before;
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
    for (const owner of owners) this.#reader.cache.forget(owner);
    this.#reader.snapshot.noteCommit(raised);
    if (log === null) return this.#tell(outcomes);
    this.#telling = this.#tellWhenSynced(this.#telling, log.sync(), { batch, outcomes });
  }

  async #isMoreToCome(): Promise<boolean> {
    if (this.#queue.length > 0) {
      await nextTurn(); // reads have their turn in between
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

  /** Notifies in the order of the commits, even when the next one reaches the disk in the meantime. */
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

  async #begin(patience: number): Promise<void> {
    if (this.#log?.isDoubtful) {
      this.#reader.snapshot.end();
      await this.#log.repair();
    }
    await this.#log?.keepShort();
    await beginPatiently(this.#control.begin, patience, () => this.#busy.add());
  }

  /**
   * @returns how to tell the caller once the batch is durable
   * @throws what made SQLite give up the whole transaction, such as a full disk
   */
  async #runApart(job: Job): Promise<() => void> {
    this.#control.save.run();
    try {
      const value = await observedJob(job, this.#tx, this.#reader.statements);
      this.#control.release.run();
      const ranAt = performance.now();
      return () => {
        if (job.record !== undefined) this.#reader.statements?.ran("COMMIT", ranAt, 0, undefined, job.record);
        job.resolve(value);
      };
    } catch (error) {
      if (!this.#writer.isTransaction) throw error;
      this.#control.undo.run();
      this.#control.release.run();
      return () => job.reject(error);
    }
  }
}

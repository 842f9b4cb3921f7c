import { closeSync, fdatasync, openSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import { sqliteError } from "./errors.ts";

/** Pages of the log that are not in the file yet, from which they are brought there: as many as SQLite waits for itself. */
const CHECKPOINT = 1_000;
/** Pages of the log from which writes wait until it is empty: it cannot restart while they continue. */
const LONG = 10_000;

const IN_DOUBT = "The disk of the database failed: whether the change was made is not known.";

/**
 * The write-ahead log of a database that no other process serves, but for the time of a handover. Its commits only write to the log (synchronous=NORMAL);
 * other threads wait for the disk and copy the log into the file, so that reads continue.
 *
 * A writer calls `sync` before it acknowledges, and commits nothing more until that ends: each commit is on the disk
 * before the next is written, and findLogDamage relies on that. https://sqlite.org/wal.html
 */
export class WriteAheadLog {
  readonly #path: string;
  readonly #writer: DatabaseSync;
  readonly #log: Log | undefined;
  readonly #file: number;
  readonly #size: StatementSync;
  /** Changes with each commit of another connection: https://www.sqlite.org/pragma.html#pragma_data_version */
  readonly #versionOfOthers: StatementSync;
  #lastOfOthers: unknown;
  #syncing: Promise<void> | null = null;
  /** Whether a sync has failed, and `repair` has to come before anything more is written. */
  #isDoubtful = false;
  #checkpointer: Worker | null = null;
  #checkpointing: Promise<void> | null = null;
  #isFailing = false;

  /** `writer` is a connection to the database at `path`, and the only one that writes in this process. */
  constructor(path: string, writer: DatabaseSync, log?: Log) {
    this.#path = path;
    this.#writer = writer;
    this.#log = log;
    writer.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0");
    // Copies nothing and says how long the log is: https://sqlite.org/pragma.html#pragma_wal_checkpoint
    this.#size = writer.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#versionOfOthers = writer.prepare("PRAGMA data_version");
    this.#size.get(); // makes the file where there is none
    this.#file = openSync(`${path}-wal`, "r+");
  }

  get isSyncing(): boolean {
    return this.#syncing !== null;
  }

  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** Resolves when no sync is running, also after a failed one, which only its caller learns of. */
  async synced(): Promise<void> {
    await this.#syncing?.catch(() => {});
  }

  /** @throws AppError UNAVAILABLE when the latest sync failed */
  async assertSynced(): Promise<void> {
    await this.synced();
    if (this.#isDoubtful) throw new AppError("UNAVAILABLE", "The disk of the database failed.", { retryAfter: 1 });
  }

  /**
   * To be called in a transaction, before it commits: makes sure that what other processes have committed is on the disk.
   * Commands sync their own commits; a server that hands over to this one, or that this one hands over to, does it later.
   *
   * @throws AppError UNAVAILABLE when that is not known
   */
  async syncOthers(): Promise<void> {
    const version = this.#versionOfOthers.get()?.data_version;
    if (version === this.#lastOfOthers) return;
    await this.sync();
    this.#lastOfOthers = version;
  }

  /**
   * Resolves when what has been committed is on the disk.
   *
   * @throws AppError UNAVAILABLE when that is not known. Then nothing may be committed before `repair`
   */
  sync(): Promise<void> {
    this.#syncing = this.#sync().finally(() => {
      this.#syncing = null;
    });
    return this.#syncing;
  }

  async #sync(): Promise<void> {
    try {
      await syncFile(this.#file);
    } catch (error) {
      this.#isDoubtful = true;
      throw new AppError("UNAVAILABLE", IN_DOUBT, { retryAfter: 1 }, error);
    }
  }

  /**
   * After a failed sync the kernel may take pages for written that are not, and never try them again
   * (https://wiki.postgresql.org/wiki/Fsync_Errors): all of the log goes into the file, by a sync of its own, and begins anew.
   *
   * @throws AppError UNAVAILABLE while the disk fails, or somebody reads the log
   */
  async repair(): Promise<void> {
    await this.synced();
    await this.#checkpointing;
    try {
      const { busy } = this.#writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
      if (busy !== 0) throw new AppError("UNAVAILABLE", "The database is busy.", { retryAfter: 1 });
    } catch (error) {
      throw sqliteError(error);
    }
    this.#isDoubtful = false;
  }

  /** To be called between two commits: has the log brought into the file when it is long. */
  async keepShort(): Promise<void> {
    const { log, checkpointed } = this.#size.get() as { log: number; checkpointed: number };
    if (log - checkpointed < CHECKPOINT) return;
    const checkpoint = this.#checkpoint();
    if (log < LONG) return;
    await checkpoint;
    await this.#checkpoint(); // what was written during the first
  }

  async close(): Promise<void> {
    await this.synced();
    await this.#checkpointing;
    const thread = this.#checkpointer;
    if (thread !== null) {
      thread.ref(); // or the process may end while it waits, and nothing that follows happens
      const ended = new Promise((resolve) => thread.once("exit", resolve));
      thread.postMessage("close"); // a thread that is ended from outside keeps SQLite's locks
      await ended;
    }
    closeSync(this.#file);
  }

  #checkpoint(): Promise<void> {
    this.#checkpointing ??= this.#askForCheckpoint().finally(() => {
      this.#checkpointing = null;
    });
    return this.#checkpointing;
  }

  /** Never rejects: what is not in the file stays in the log, and is tried again. */
  #askForCheckpoint(): Promise<void> {
    const thread = this.#openCheckpointer();
    return new Promise((resolve) => {
      const end = (failure: { message: string } | null) => {
        thread.off("message", told).off("error", broken);
        thread.unref();
        this.#note(failure);
        resolve();
      };
      const told = (answer: { failure: { message: string } | null }) => end(answer.failure);
      const broken = (error: unknown) => {
        this.#checkpointer = null;
        end(error as Error);
      };
      thread.ref();
      thread.once("message", told).once("error", broken);
      thread.postMessage("checkpoint");
    });
  }

  #openCheckpointer(): Worker {
    this.#checkpointer ??= new Worker(new URL("./checkpoint-worker.ts", import.meta.url), {
      workerData: { path: this.#path },
    });
    return this.#checkpointer;
  }

  /** Says it once, not at each attempt. */
  #note(failure: { message: string } | null): void {
    if (failure !== null && !this.#isFailing) {
      this.#log?.error({ reason: failure.message }, "the write-ahead log cannot be brought into the database file");
    } else if (failure === null && this.#isFailing) {
      this.#log?.info({}, "the write-ahead log is brought into the database file again");
    }
    this.#isFailing = failure !== null;
  }
}

const syncFile = promisify(fdatasync);

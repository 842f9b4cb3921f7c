import { performance } from "node:perf_hooks";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { RowCache } from "./row-cache.ts";

/** Its count takes 35 ns (measured on Node 24). https://nodejs.org/api/perf_hooks.html#performancenodetiminguvmetricsinfo */
const { nodeTiming } = performance;

/**
 * Lets all reads of one turn of the event loop look at one snapshot of the database. Taking and leaving SQLite's read
 * lock costs as much as a read itself (measured: 7 of 19 microseconds), and so it is paid once a turn.
 *
 * Commits of this process end the snapshot, so a read after an acknowledged write sees it. A commit of another
 * process is seen in the next turn at the latest. A turn begins when the event loop looks for what has come. Node counts that,
 * because reads also begin in the last phase of a turn, after which `setImmediate` is too late: whoever comes in the next turn may
 * know of a commit that they did not see.
 */
export class SharedSnapshot {
  readonly #connection: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #version: StatementSync;
  readonly #cache: RowCache;
  /** The version for the connection that writes, which changes with the commits of others only. */
  readonly #versionOfOthers: StatementSync;
  readonly #end = () => this.end();
  #isOpen = false;
  /** The turn in which it was opened. */
  #turn = 0;
  #last: unknown;
  #lastOfOthers: unknown;
  #wereOthers = true;

  /** Empties the cache when other processes have written. Writers on `writer` update the cache themselves. */
  constructor(connection: DatabaseSync, writer: DatabaseSync, cache: RowCache) {
    this.#connection = connection;
    this.#begin = connection.prepare("BEGIN");
    this.#commit = connection.prepare("COMMIT");
    // Changes with each commit of another connection, and so with each there is: this one only reads.
    // https://www.sqlite.org/pragma.html#pragma_data_version
    this.#version = connection.prepare("PRAGMA data_version");
    this.#version.setReturnArrays(true);
    this.#versionOfOthers = writer.prepare("PRAGMA data_version");
    this.#versionOfOthers.setReturnArrays(true);
    this.#cache = cache;
  }

  /** To be called before each read. */
  use(): void {
    const turn = nodeTiming.uvMetricsInfo.loopCount;
    if (this.#isOpen && turn === this.#turn) return;
    this.end();
    this.#begin.run();
    this.#isOpen = true;
    this.#turn = turn;
    setImmediate(this.#end);
    try {
      const [version] = this.#version.get() as unknown as [unknown];
      if (version === this.#last) return;
      this.#last = version;
    } catch (error) {
      this.#last = undefined;
      this.end();
      throw error;
    }
    this.#forgetAfterOthers();
  }

  /** A commit between the snapshot and this check is in the next snapshot only, which empties the cache again. */
  #forgetAfterOthers(): void {
    const before = this.#lastOfOthers;
    try {
      [this.#lastOfOthers] = this.#versionOfOthers.get() as unknown as [unknown];
    } catch {
      this.#lastOfOthers = Symbol("unknown"); // reads go on, whatever keeps the writer from looking
    }
    const areOthers = this.#lastOfOthers !== before;
    if (areOthers || this.#wereOthers) this.#cache.clear();
    this.#wereOthers = areOthers;
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // After some failures, of the disk for example, SQLite has ended it already.
    if (this.#connection.isTransaction) this.#commit.run();
  }
}

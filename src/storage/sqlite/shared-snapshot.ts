import { performance } from "node:perf_hooks";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ContentVersion } from "./content-version.ts";
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
  readonly #contentVersion: ContentVersion;
  readonly #cache: RowCache;
  readonly #end = () => this.end();
  #isOpen = false;
  /** The turn in which it was opened. */
  #turn = 0;
  #last: unknown;
  /** By how much commits of this process raised the version of the content. */
  #own = 0;
  /** The rest of that version in the latest snapshot; null: not known. */
  #ofOthers: number | null = null;

  /** Empties the cache when others have written content. This process updates the cache itself, and calls `noteCommit`. */
  constructor(connection: DatabaseSync, cache: RowCache) {
    this.#connection = connection;
    this.#begin = connection.prepare("BEGIN");
    this.#commit = connection.prepare("COMMIT");
    // Changes with each commit of another connection, and so with each there is: this one only reads.
    // https://www.sqlite.org/pragma.html#pragma_data_version
    this.#version = connection.prepare("PRAGMA data_version");
    this.#version.setReturnArrays(true);
    this.#contentVersion = new ContentVersion(connection);
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

  #forgetAfterOthers(): void {
    const version = this.#contentVersion.read();
    const ofOthers = version === null ? null : version - this.#own;
    if (ofOthers === null || ofOthers !== this.#ofOthers) this.#cache.clear();
    this.#ofOthers = ofOthers;
  }

  /**
   * To be called at once after each commit of this process. Ends the snapshot.
   *
   * @param raised by how much the commit raised the version of the content; null: not known
   */
  noteCommit(raised: number | null): void {
    if (raised === null) this.#ofOthers = null;
    else this.#own += raised;
    this.end();
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // After some failures, of the disk for example, SQLite has ended it already.
    if (this.#connection.isTransaction) this.#commit.run();
  }
}

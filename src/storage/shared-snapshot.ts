import type { DatabaseSync, StatementSync } from "node:sqlite";

/**
 * Lets all reads of one turn of the event loop look at one snapshot of the database. Taking and leaving SQLite's read
 * lock costs as much as a read itself (measured: 7 of 19 microseconds), and so it is paid once a turn.
 *
 * Commits of this process end the snapshot, so a read after an acknowledged write sees it. A commit of another
 * process is seen in the next turn at the latest.
 */
export class SharedSnapshot {
  readonly #connection: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #version: StatementSync;
  readonly #changed: () => void;
  readonly #end = () => this.end();
  #isOpen = false;
  #last: unknown;

  /** `changed` is called when a snapshot is not the one before any more: somebody has written. */
  constructor(connection: DatabaseSync, changed: () => void) {
    this.#connection = connection;
    this.#begin = connection.prepare("BEGIN");
    this.#commit = connection.prepare("COMMIT");
    // Changes with each commit of another connection, and so with each there is: this one only reads.
    // https://www.sqlite.org/pragma.html#pragma_data_version
    this.#version = connection.prepare("PRAGMA data_version");
    this.#version.setReturnArrays(true);
    this.#changed = changed;
  }

  /** To be called before each read. */
  use(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
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
    this.#changed();
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // After some failures, of the disk for example, SQLite has ended it already.
    if (this.#connection.isTransaction) this.#commit.run();
  }
}

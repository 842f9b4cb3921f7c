import type { DatabaseSync, StatementSync } from "node:sqlite";

/**
 * Lets all reads of one turn of the event loop look at one snapshot of the database. Taking and leaving SQLite's read
 * lock costs as much as a read itself (measured: 7 of 19 microseconds), and so it is paid once a turn.
 *
 * Commits of this process end the snapshot, so a read after an acknowledged write sees it. A commit of another
 * process is seen in the next turn at the latest.
 */
export class SharedSnapshot {
  /** What has been read from this snapshot, for readers to keep and find again; it goes with the snapshot. */
  readonly known = new Map<object, unknown>();
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #end = () => this.end();
  #isOpen = false;

  constructor(connection: DatabaseSync) {
    this.#begin = connection.prepare("BEGIN");
    this.#commit = connection.prepare("COMMIT");
  }

  /** To be called before each read. */
  use(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    setImmediate(this.#end);
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.known.clear();
    this.#commit.run();
  }
}

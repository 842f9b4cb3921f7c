import type { DatabaseSync, StatementSync } from "node:sqlite";

const VERSION =
  "SELECT CASE WHEN EXISTS (SELECT 1 FROM posts_unindexed) THEN NULL ELSE version END AS version FROM content_version";

/**
 * Number in the database that triggers count up with each row of content that anybody writes: this process, another one, or a
 * tool that has the file open. It shows whether a commit of another process changed content, where `PRAGMA data_version` only shows that
 * there was one.
 */
export class ContentVersion {
  readonly #connection: DatabaseSync;
  #statement: StatementSync | null = null;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  /**
   * As the connection sees it now. null while it does not tell of each change: before the migration that counts, and while
   * posts wait for the search index, which changes without a count when it takes them in.
   */
  read(): number | null {
    try {
      this.#statement ??= this.#connection.prepare(VERSION);
      return (this.#statement.get()?.version as number | null | undefined) ?? null;
    } catch {
      this.#statement = null;
      return null;
    }
  }
}

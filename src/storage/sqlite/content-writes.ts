import { constants, type DatabaseSync, type StatementSync } from "node:sqlite";
import { CONTENT_TABLES } from "../database/schema.ts";

const CONTENT: ReadonlySet<string | null> = new Set(CONTENT_TABLES);

const ROW_WRITES: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
]);
/** What reads, and what only frames. */
const HARMLESS: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_RECURSIVE,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_TRANSACTION,
  constants.SQLITE_SAVEPOINT,
]);

/**
 * Knows of a connection whether what has run may have written content. SQLite says of each statement what it does, in triggers
 * and cascades as well, while it is prepared. https://www.sqlite.org/c3ref/set_authorizer.html
 */
export class ContentWrites {
  /** Whether content may have been written since this was set to false. */
  happened = false;
  readonly #connection: DatabaseSync;
  #isMeant = false;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    connection.setAuthorizer((action, table) => {
      if (ROW_WRITES.has(action) ? CONTENT.has(table) : !HARMLESS.has(action)) this.#isMeant = true;
      return constants.SQLITE_OK;
    });
  }

  /** @returns the statement, and what is to be called before each run */
  prepare(text: string): readonly [statement: StatementSync, note: () => void] {
    this.#isMeant = false;
    const statement = this.#connection.prepare(text);
    if (!this.#isMeant) return [statement, () => {}];
    const note = () => {
      this.happened = true;
    };
    return [statement, note];
  }
}

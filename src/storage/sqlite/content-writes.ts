import { constants, type DatabaseSync, type StatementSync } from "node:sqlite";
import { CONTENT_TABLES } from "../database/schema.ts";

const CONTENT: ReadonlySet<string | null> = new Set(CONTENT_TABLES);

const ROW_WRITES: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
]);
/** Actions that write nothing. */
const HARMLESS: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_RECURSIVE,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_TRANSACTION,
  constants.SQLITE_SAVEPOINT,
]);

/** Whether a statement may write content. */
interface Mark {
  isSet: boolean;
}

/**
 * Knows whether statements of a connection may have written content. SQLite tells what a statement does, in triggers and cascades
 * as well, while it prepares it, and again where it does that in a run because another process has changed the schema.
 * https://www.sqlite.org/c3ref/set_authorizer.html
 */
export class ContentWrites {
  /** Whether content may have been written since this was set to false. */
  happened = false;
  readonly #connection: DatabaseSync;
  /** Mark of the statement that is prepared, or that ran last. */
  #mark: Mark = { isSet: false };
  #isPreparing = false;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    connection.setAuthorizer((action, table) => {
      if (ROW_WRITES.has(action)) {
        if (CONTENT.has(table)) this.happened = this.#mark.isSet = true;
      } else if (this.#isPreparing && !HARMLESS.has(action)) this.#mark.isSet = true;
      return constants.SQLITE_OK;
    });
  }

  /** @returns the statement, and what is to be called before each run */
  prepare(text: string): readonly [statement: StatementSync, note: () => void] {
    const mark = { isSet: false };
    this.#mark = mark;
    this.#isPreparing = true;
    try {
      const statement = this.#connection.prepare(text);
      const note = () => {
        this.#mark = mark;
        if (mark.isSet) this.happened = true;
      };
      return [statement, note];
    } finally {
      this.#isPreparing = false;
    }
  }
}

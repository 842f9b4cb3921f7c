import type { RootSelection } from "../../domain/reading/selection.ts";
import type { Content, Database, RowQuery, RowStatement } from "../database/database.ts";
import { whenNeeded } from "../database/statement.ts";
import { PlannedRead, prepareRead } from "./read.ts";
import { readsHistory } from "./read-pieces.ts";

/** A copy of the database from which content is read, so that the database itself has less to do. */
export interface ReadingCopy {
  /**
   * Reads what every write that `settled` waited for has left, or something later: from the copy, or else elsewhere.
   *
   * @param content where it is content: a copy may answer with older content, and with nothing else that is old
   */
  prepareRow(query: RowQuery, content?: Content): RowStatement;
  /**
   * Resolves when whoever reads from the copy, in any process, sees all that is committed now. Never rejects: readers that
   * the copy cannot serve so well stop reading from it. Where old content may be read, this holds for this process alone.
   */
  settled(): Promise<void>;
}

/** The database for content: its writes are over when everybody sees them. */
export function withCopy(database: Database, copy: ReadingCopy): Database {
  const settle = async <T>(value: T): Promise<T> => {
    await copy.settled();
    return value;
  };
  return {
    dialect: database.dialect,
    read: database.read,
    prepareRow: (query, content) => copy.prepareRow(query, content),
    write: (job, patience) => database.write(job, patience).then(settle),
    writeAtOnce: (queries, isRight) => database.writeAtOnce(queries, isRight).then(settle),
    writeTogether: (...write) => database.writeTogether(...write).then(settle),
    follow: (tell) => database.follow(tell),
    close: () => database.close(),
  };
}

/** Planned for the copy, and for the database itself when what is newest there is asked for. History is always read there. */
export function prepareBoth(
  database: Database,
  content: Database,
  root: RootSelection,
  now: () => number,
): PlannedRead {
  if (readsHistory(root)) return prepareRead(database, root, now);
  const usual = prepareRead(content, root, now);
  const newest = whenNeeded(() => prepareRead(database, root, now));
  const choose: PlannedRead["statementFor"] = (values, isNewest) => (isNewest ? newest() : usual).statementFor(values);
  return new PlannedRead(choose, usual.toJson, usual.complete);
}

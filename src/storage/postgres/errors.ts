import pg from "pg";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { LabelsOf } from "../../observe/metric-table.ts";

/** The connection broke, or was closed, before the answer to a statement came. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";

  constructor(cause: unknown) {
    super("The connection to PostgreSQL was lost.", { cause });
  }
}

/** A change that has noted the key of its request. */
interface Keyed {
  readonly subjectId: Id;
  readonly value: unknown;
}

/** The connection was lost while it committed, or the server does not know: nobody can tell whether the change was made. */
export class InDoubt extends Error {
  override readonly name = "InDoubt";
  /** The change and the result, if the note of a key tells whether the change was made; null without a key. */
  readonly keyed: Keyed | null;

  constructor(cause: unknown, keyed: Keyed | null = null) {
    super("A commit is in doubt.", { cause });
    this.keyed = keyed;
  }
}

/** No connection could be had: nobody listens, or all of ours are busy. */
export class NoConnection extends Error {
  override readonly name = "NoConnection";

  constructor(cause: unknown) {
    super("There is no connection to PostgreSQL.", { cause });
  }
}

/** Whatever went wrong, as what callers may be told. The original becomes the cause. */
export function postgresError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof InDoubt) return unavailable(IN_DOUBT, error);
  if (error instanceof ConnectionLost) return unavailable("The connection to the database was lost.", error);
  const code = sqlState(error) || sqlState((error as Error | null)?.cause);
  const [kind, message] = BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? [];
  if (kind === "UNAVAILABLE") return unavailable(message ?? "", error);
  if (kind !== undefined) return new AppError(kind, message ?? "", {}, error);
  if (error instanceof NoConnection)
    return unavailable("The database cannot be reached, or has no connection free.", error);
  return new AppError("INTERNAL", "The database failed.", {}, error);
}

/**
 * Another attempt at the whole transaction may succeed: https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html.
 * Aurora DSQL has two codes of its own for conflicts of data (OC000) and of the schema (OC001).
 */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01", "OC000", "OC001"].includes(sqlState(error));
}

/** The server does not know what became of a commit: statement_completion_unknown, transaction_resolution_unknown. */
function isUnknown(error: unknown): boolean {
  return ["40003", "08007"].includes(sqlState(error));
}

/** Others held a lock for longer than we waited, or it took too long behind them. */
export function isLockedOut(error: unknown): boolean {
  return isConflict(error) || ["55P03", "57014"].includes(sqlState(error));
}

/**
 * A pooler ended the session, and does not know what the server did meanwhile: PgBouncer gives 08P01 with any reason, such as
 * "server conn crashed?".
 */
function isCutOff(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === "FATAL" && sqlState(error).startsWith("08");
}

/** The session is gone. */
function isSessionEnd(error: unknown): boolean {
  return (
    error instanceof ConnectionLost || isCutOff(error) || ["57P01", "57P02", "57P05", "25P03"].includes(sqlState(error))
  );
}

/**
 * The session is gone, has forgotten or outlived a prepared statement, or leads to a server that has become a replica:
 * another one may serve.
 */
export function isSessionFault(error: unknown): boolean {
  return isSessionEnd(error) || ["26000", "42P05", "0A000", "25006"].includes(sqlState(error));
}

/** The server answered, and will not have us: another attempt will end like this one. */
export function isRefusal(error: unknown): boolean {
  const code = sqlState(error) || sqlState((error as Error | null)?.cause);
  return code !== "" && !["08", "53", "57", "58"].includes(code.slice(0, 2));
}

/** The SQLSTATE under which another attempt is counted; `none` where PostgreSQL said nothing. */
export function retriedState(error: unknown): LabelsOf<"db_retries_total">[0] {
  return (sqlState(error) || sqlState((error as Error | null)?.cause) || "none") as LabelsOf<"db_retries_total">[0];
}

/** Five characters, `` for what does not come from PostgreSQL. */
export function sqlState(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? "") : "";
}

type Told = readonly [kind: "CONFLICT" | "NOT_FOUND" | "UNAVAILABLE" | "INTERNAL", message: string];

const IN_DOUBT = "The connection to the database was lost during a commit: whether the change was made is not known.";
const FORGETFUL_POOLER =
  "A pooler in front of PostgreSQL forgets prepared statements: set max_prepared_statements in PgBouncer 1.21 or newer, or add prepared_statements=false to DATABASE_URL.";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const BY_CODE: Readonly<Record<string, Told>> = {
  "23502": ["CONFLICT", "What was to be written does not fit any more."],
  "23503": ["NOT_FOUND", "The row that this refers to does not exist."],
  "23505": ["CONFLICT", "There is one already."],
  "25006": ["UNAVAILABLE", "The database is read-only."],
  "26000": ["UNAVAILABLE", FORGETFUL_POOLER],
  "3D000": ["UNAVAILABLE", "There is no such database on the server: create it first."],
  "40001": ["UNAVAILABLE", "The database is busy."],
  OC000: ["UNAVAILABLE", "The database is busy."],
  OC001: ["UNAVAILABLE", "The database is busy."],
  "40P01": ["UNAVAILABLE", "The database is busy."],
  "42501": ["UNAVAILABLE", "The database user may not do this: make it the owner of the database."],
  "42P05": ["UNAVAILABLE", FORGETFUL_POOLER],
  "42P07": ["UNAVAILABLE", "The database has tables of another program."],
  "53100": ["UNAVAILABLE", "The disk of the database is full."],
  "53200": ["UNAVAILABLE", "The database has no memory left."],
  "53300": ["UNAVAILABLE", "The database has no connection left."],
  "55P03": ["UNAVAILABLE", "The database is busy."],
  "57014": ["UNAVAILABLE", "The database took too long."],
};

const BY_CLASS: Readonly<Record<string, Told>> = {
  "08": ["UNAVAILABLE", "The connection to the database was lost."],
  "25": ["UNAVAILABLE", "The database gave up the transaction."],
  "28": ["UNAVAILABLE", "The database refuses the user name or the password."],
  "53": ["UNAVAILABLE", "The database has no resources left."],
  "57": ["UNAVAILABLE", "The database is starting or stopping."],
  "58": ["UNAVAILABLE", "The disk of the database failed."],
  XX: ["INTERNAL", "The database is damaged or has a fault."],
};

function unavailable(message: string, error: unknown): AppError {
  return new AppError("UNAVAILABLE", message, { retryAfter: 1 }, error);
}

/**
 * A commit that had no answer may have been done. One that PostgreSQL refused was not; nor was one before whose turn
 * PostgreSQL ended the session, which it says in its place among the answers. A pooler says it in any place.
 *
 * @param left steps before the commit that had not ended
 */
export function isInDoubt(error: unknown, left: number): boolean {
  if (error instanceof ConnectionLost || isCutOff(error)) return true;
  return (isSessionEnd(error) || isUnknown(error)) && left === 0;
}

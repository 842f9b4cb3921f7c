import { AppError } from "../../domain/errors.ts";

/** Result codes, extended ones included: https://sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;
const NOMEM = 7;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const CONSTRAINT_FOREIGNKEY = 787;
const CONSTRAINT_NOTNULL = 1299;
const CONSTRAINT_PRIMARYKEY = 1555;
const CONSTRAINT_UNIQUE = 2067;

/** Whatever node:sqlite threw, as what callers may be told. The original becomes the cause. */
export function sqliteError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isClosed(error)) return new AppError("UNAVAILABLE", "The database is closed.", {}, error);
  const code = resultCode(error);
  switch (code) {
    case CONSTRAINT_UNIQUE:
    case CONSTRAINT_PRIMARYKEY:
      return new AppError("CONFLICT", "There is one already.", {}, error);
    case CONSTRAINT_NOTNULL:
      return new AppError("CONFLICT", "What was to be written does not fit any more.", {}, error);
    case CONSTRAINT_FOREIGNKEY:
      return new AppError("NOT_FOUND", "The row that this refers to does not exist.", {}, error);
  }
  switch (code & 0xff) {
    case BUSY:
    case LOCKED:
      return unavailable("The database is busy.", error);
    case NOMEM:
      return unavailable("The database has no memory left.", error);
    case READONLY:
      return unavailable("The database is read-only.", error);
    case IOERR:
      return unavailable("The disk of the database failed.", error);
    case FULL:
      return unavailable("The disk of the database is full.", error);
    case CANTOPEN:
      return unavailable("The database cannot be opened.", error);
    case CORRUPT:
      return new AppError("INTERNAL", "The database file is damaged. Restore it from a backup.", {}, error);
    case NOTADB:
      return new AppError("INTERNAL", "The database file is not a SQLite database.", {}, error);
    default:
      return new AppError("INTERNAL", "The database failed.", {}, error);
  }
}

export function isBusy(error: unknown): boolean {
  return (resultCode(error) & 0xff) === BUSY;
}

function unavailable(message: string, error: unknown): AppError {
  return new AppError("UNAVAILABLE", message, { retryAfter: 1 }, error);
}

function resultCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_INVALID_STATE";
}

import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import { isBusy, sqliteError } from "./errors.ts";
import { findLogDamage } from "./log-damage.ts";

/** Marks the file as ours in its header ("capi"): https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x63617069;
/** How often damage must be seen again. A server that hands over to this one writes all the time. */
const LOOKS = 3;
/** Before it, a WAL that is reset at the wrong moment could corrupt the database. */
const SAFE_VERSION = "3.51.3";

/**
 * Opens the database file twice, to write and to read, and makes it where it is missing: for its owner only.
 *
 * @throws AppError UNAVAILABLE or INTERNAL with a message for the operator
 */
export async function openSqliteFile(
  path: string,
  options: { mustExist: boolean },
): Promise<{ writer: DatabaseSync; reader: DatabaseSync }> {
  assertSafeVersion(process.versions.sqlite ?? "0");
  const opened: DatabaseSync[] = [];
  try {
    if (options.mustExist) assertExists(path);
    else createForOwner(path);
    await assertLogWhole(path);
    const writer = openConnection(path, opened);
    await claim(writer, path);
    const [mode] = Object.values(await patiently(() => writer.prepare("PRAGMA journal_mode = WAL").get() ?? {}));
    if (mode !== "wal") {
      throw new AppError(
        "UNAVAILABLE",
        `${path} cannot be shared safely: its file system does not support a write-ahead log.`,
      );
    }
    // FULL: a commit is on the disk before it is acknowledged.
    writer.exec("PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864");
    writer.exec("PRAGMA busy_timeout = 0"); // from here on sqlite.ts waits, without blocking
    const reader = openConnection(path, opened);
    reader.exec("PRAGMA query_only = ON; PRAGMA cache_size = -65536");
    return { writer, reader };
  } catch (error) {
    for (const connection of opened) connection.close();
    throw openError(path, error);
  }
}

/** @throws AppError UNAVAILABLE for a SQLite with known corruption bugs */
export function assertSafeVersion(version: string): void {
  if (isBefore(version, SAFE_VERSION)) {
    throw new AppError(
      "UNAVAILABLE",
      `This Node has SQLite ${version}, which can corrupt a database. ${SAFE_VERSION} or newer is needed: use the Node that this program installs.`,
    );
  }
}

/** By the numbers between the dots. */
function isBefore(version: string, other: string): boolean {
  const numbers = other.split(".").map(Number);
  for (const [index, part] of version.split(".").entries()) {
    const difference = Number(part) - (numbers[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Before SQLite looks at the log, which it would cut off where it is damaged. */
async function assertLogWhole(path: string): Promise<void> {
  const log = `${path}-wal`;
  const damage = findLogDamage(log);
  if (damage === null) return;
  for (let look = 0; look < LOOKS; look++) {
    await pause(100); // another process may just have been writing there
    if (findLogDamage(log) !== damage) return;
  }
  throw new AppError(
    "INTERNAL",
    `${log} is damaged: acknowledged writes are lost with it. Restore the database from a backup.`,
  );
}

function assertExists(path: string): void {
  if (!existsSync(path)) throw new AppError("UNAVAILABLE", `There is no database at ${path}.`);
}

function createForOwner(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
}

function openConnection(path: string, opened: DatabaseSync[]): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: true, defensive: true });
  opened.push(connection);
  connection.exec("PRAGMA trusted_schema = OFF");
  return connection;
}

/** Whether the file that a connection has open carries our mark. */
export function isOurs(connection: DatabaseSync): boolean {
  return connection.prepare("PRAGMA application_id").get()?.application_id === APPLICATION_ID;
}

/** Puts our mark on an empty file, and refuses a file of another program. */
async function claim(connection: DatabaseSync, path: string): Promise<void> {
  const state = connection
    .prepare(
      "SELECT application_id AS mark, (SELECT count(*) FROM sqlite_schema) AS objects FROM pragma_application_id",
    )
    .get();
  if (state?.mark === APPLICATION_ID) return;
  if (state?.mark !== 0 || state.objects !== 0) {
    throw new AppError("UNAVAILABLE", `${path} is the database of another program.`);
  }
  await patiently(() => connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`));
}

/** Another process may be opening the same new file; SQLite does not always wait for it. */
async function patiently<T>(work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || attempt === 50) throw error;
    }
    await pause(20 + Math.random() * 20);
  }
}

function openError(path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && "syscall" in error) {
    return new AppError("UNAVAILABLE", `The database ${path} cannot be opened: ${error.message}.`, {}, error);
  }
  const { code, message } = sqliteError(error);
  return new AppError(code, `${path}: ${message}`, {}, error);
}

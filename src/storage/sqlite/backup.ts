import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { AppError } from "../../domain/errors.ts";
import { isBusy, sqliteError } from "./errors.ts";
import { isOurs } from "./file.ts";

/** Called now and then with how much is copied, from 0 to 1. */
export type Progress = (share: number) => void;

/** Pages copied between two turns of the event loop. */
const STEP = 1_000;

/**
 * Copies the database as it is at this moment, while others go on writing, and checks the copy. The file has its name
 * only when it is whole and on the disk. Mailed links and the outbox of mails stay out of it (U09).
 *
 * @throws AppError CONFLICT when the file exists, UNAVAILABLE when the disk fails, INTERNAL when the database is damaged
 */
export async function backupSqlite(path: string, file: string, progress: Progress): Promise<void> {
  if (existsSync(file)) throw new AppError("CONFLICT", `${file} exists already. A backup never overwrites a file.`);
  await translated(file, () => copy(path, file, progress));
}

/**
 * Puts a backup in the place of the database, or where there is none yet. No process may have the database open.
 *
 * @returns the path under which the database that was there is kept; null where there was none
 * @throws AppError CONFLICT when there is a database and `replace` is off, UNAVAILABLE when it is in use, INTERNAL when
 * the backup is damaged or another program's; the database is as it was then
 */
export async function restoreSqlite(
  file: string,
  path: string,
  options: { replace: boolean },
  progress: Progress,
): Promise<string | null> {
  if (!existsSync(file)) throw new AppError("NOT_FOUND", `There is no file ${file}.`);
  if (existsSync(path)) {
    if (!options.replace)
      throw new AppError("CONFLICT", `There is a database at ${path}: --replace puts the backup in its place.`);
    await translated(path, async () => assertUnused(path));
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return translated(file, () => copy(file, path, progress));
}

async function copy(source: string, target: string, progress: Progress): Promise<string | null> {
  const draft = `${target}.part`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, "wx", 0o600));
  const connection = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
  try {
    assertWhole(connection, source, "quick_check");
    // Keeps one snapshot for all the steps. Without it, each write of another process would start the copy anew.
    connection.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
    await backup(connection, draft, {
      rate: STEP,
      progress: ({ totalPages, remainingPages }) => progress(1 - remainingPages / totalPages),
    });
    progress(1);
    finish(draft);
    sync(draft);
    const kept = keep(target);
    for (const leftover of ["-wal", "-shm"]) rmSync(target + leftover, { force: true });
    renameSync(draft, target);
    sync(dirname(target));
    return kept;
  } finally {
    connection.close();
    for (const leftover of ["", "-wal", "-shm"]) rmSync(draft + leftover, { force: true });
  }
}

/** Gives a file a second name, which stays when its first one gets another file. @returns that name */
function keep(path: string): string | null {
  if (!existsSync(path)) return null;
  for (let number = 1; ; number++) {
    const name = `${path}.replaced-${number}`;
    if (existsSync(name)) continue;
    nameAlso(path, name);
    if (existsSync(`${path}-wal`)) nameAlso(`${path}-wal`, `${name}-wal`);
    sync(dirname(path));
    return name;
  }
}

function nameAlso(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch (error) {
    // A file system without links.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    copyFileSync(path, name, constants.COPYFILE_EXCL);
    sync(name);
  }
}

/** Tables whose rows an old copy would bring back to life: links that were used or withdrawn since, mails that were sent, and nodes. */
const LEFT_OUT = ["account_tokens", "mails", "nodes"];

function finish(file: string): void {
  const connection = new DatabaseSync(file); // not read-only: it would leave a log behind
  try {
    const isThere = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    connection.exec("PRAGMA secure_delete = ON"); // without it, the deleted text stays in the file
    for (const table of LEFT_OUT) if (isThere.get(table) !== undefined) connection.exec(`DELETE FROM ${table}`);
    assertWhole(connection, file, "integrity_check");
  } finally {
    connection.close();
  }
}

function assertWhole(connection: DatabaseSync, file: string, kind: "integrity_check" | "quick_check"): void {
  if (!isOurs(connection)) throw new AppError("INTERNAL", `${file} is not a database of this program.`);
  const [verdict] = Object.values(connection.prepare(`PRAGMA ${kind}(1)`).get() ?? {});
  if (verdict !== "ok") throw new AppError("INTERNAL", `${file} is damaged: ${verdict}.`);
}

/** @throws AppError UNAVAILABLE when another process has the database open */
function assertUnused(path: string): void {
  const connection = new DatabaseSync(path, { timeout: 1_000 });
  try {
    connection.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
  } catch (error) {
    if (isBusy(error)) throw new AppError("UNAVAILABLE", `${path} is in use: stop the program first.`, {}, error);
    throw error;
  } finally {
    connection.close();
  }
}

/** Waits until a file, or what a folder lists, is on the disk. */
function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

async function translated<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof Error && "syscall" in error) throw new AppError("UNAVAILABLE", error.message, {}, error);
    const { code, message } = sqliteError(error);
    throw new AppError(code, `${path}: ${message}`, {}, error);
  }
}

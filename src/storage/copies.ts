import { badInput } from "../domain/errors.ts";
import { sqlitePath } from "./locate.ts";
import { isPostgresUrl } from "./postgres/address.ts";
import { backupSqlite, type Progress, restoreSqlite } from "./sqlite/backup.ts";

/**
 * Copies a SQLite database into a file while others go on writing, and checks the copy.
 *
 * @throws AppError BAD_USER_INPUT for PostgreSQL, which has tools of its own; else as `backupSqlite`
 */
export async function backupStore(databaseUrl: string, file: string, progress: Progress): Promise<void> {
  const path = fileOf(databaseUrl, `pg_dump --format=custom --file=${file} "$DATABASE_URL"`);
  await backupSqlite(path, file, progress);
}

/** @returns as `restoreSqlite`. @throws AppError BAD_USER_INPUT for PostgreSQL, which has tools of its own; else as it */
export async function restoreStore(
  databaseUrl: string,
  file: string,
  options: { replace: boolean },
  progress: Progress,
): Promise<string | null> {
  const path = fileOf(
    databaseUrl,
    `pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" ${file}`,
  );
  return restoreSqlite(file, path, options, progress);
}

function fileOf(databaseUrl: string, instead: string): string {
  if (isPostgresUrl(databaseUrl)) throw badInput("DATABASE_URL", `PostgreSQL's own tool does this: ${instead}`);
  return sqlitePath(databaseUrl);
}

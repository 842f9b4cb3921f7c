import { resolve } from "node:path";
import { badInput } from "../domain/errors.ts";
import type { Database } from "./database/database.ts";
import { isPostgresUrl, showPostgresUrl } from "./postgres/address.ts";
import type { EngineSettings } from "./postgres/engine.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/sqlite.ts";

interface DatabaseOptions extends SqliteOptions {
  /** How to work with PostgreSQL, or an engine like it. */
  readonly engine?: EngineSettings;
}

/** The only place that knows which databases there are. PostgreSQL's client is loaded only where it is used. */
export async function openDatabase(databaseUrl: string, options: DatabaseOptions): Promise<Database> {
  if (!isPostgresUrl(databaseUrl)) return openSqlite(sqlitePath(databaseUrl), options);
  const { openPostgres } = await import("./postgres/postgres.ts");
  return openPostgres(databaseUrl, options.engine, options.metrics, options.statements);
}

/** The address for people to see: without its password, and SQLite's with the whole path. */
export function showDatabase(databaseUrl: string): string {
  return isPostgresUrl(databaseUrl) ? showPostgresUrl(databaseUrl) : `sqlite:${sqlitePath(databaseUrl)}`;
}

/** Whole path of the file of SQLite. @throws AppError BAD_USER_INPUT for an address that is none */
export function sqlitePath(databaseUrl: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl)?.[1];
  if (path === undefined)
    throw badInput("DATABASE_URL", "DATABASE_URL must be like sqlite:./data/content.db or postgres://…");
  if (path.startsWith(":"))
    throw badInput("DATABASE_URL", "DATABASE_URL must name a file: a database in memory is not supported.");
  return resolve(path);
}

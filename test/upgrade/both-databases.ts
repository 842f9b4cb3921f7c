import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after } from "node:test";
import type { Database } from "../../src/storage/database/database.ts";
import { openDatabase } from "../../src/storage/locate.ts";
import { openPostgres, sqlOn } from "../postgres.ts";

export type Engine = "SQLite" | "PostgreSQL";

/** Makes databases of both kinds. To be called at the top of a test file: what it makes goes after its tests. */
export async function bothDatabases() {
  const folder = await mkdtemp(join(tmpdir(), "content-api-upgrade-"));
  after(() => rm(folder, { recursive: true, force: true }));
  const postgres = await openPostgres();
  let count = 0;
  return {
    /** A new, empty folder. */
    folder: () => mkdtemp(join(folder, "folder-")),
    /** The address of a new, empty database. */
    create: (engine: Engine) =>
      engine === "SQLite" ? Promise.resolve(`sqlite:${join(folder, `${++count}.db`)}`) : postgres.createDatabase(),
    /** The address of a copy of a database that nobody has open. */
    async copy(engine: Engine, url: string): Promise<string> {
      if (engine === "PostgreSQL") return postgres.createDatabase(url);
      const file = join(folder, `${++count}.db`);
      await copyFile(url.slice("sqlite:".length), file);
      return `sqlite:${file}`;
    },
  };
}

/** Runs a task with a database that is closed afterwards. */
export async function withDatabase<T>(url: string, task: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(url, { mustExist: false });
  try {
    return await task(database);
  } finally {
    await database.close();
  }
}

/** The rows of one statement, past the program. */
export async function rowsOf<T extends object>(url: string, statement: string): Promise<T[]> {
  if (!url.startsWith("sqlite:")) return (await sqlOn(url, statement)) as T[];
  const connection = new DatabaseSync(url.slice("sqlite:".length), { timeout: 5_000 });
  try {
    return connection
      .prepare(statement)
      .all()
      .map((row) => ({ ...row })) as T[];
  } finally {
    connection.close();
  }
}

/** Tables, columns and indexes, in an order of their own. */
export async function shapeOf(url: string): Promise<string[]> {
  const rows = url.startsWith("sqlite:")
    ? await rowsOf<{ line: string }>(
        url,
        `select m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" as line
           from sqlite_schema as m, pragma_table_info(m.name) as c where m.type = 'table'
         union all select sql from sqlite_schema where type in ('index', 'trigger') and sql is not null`,
      )
    : await rowsOf<{ line: string }>(
        url,
        `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as line
           from information_schema.columns where table_schema = 'public'
         union all select indexdef || ' ' || indisvalid from pg_indexes
           join pg_class on relname = indexname join pg_index on indexrelid = pg_class.oid where schemaname = 'public'`,
      );
  return rows.map(({ line }) => line.replace("if not exists ", "").toLowerCase()).sort();
}

/** Every row of every table but the notes of migrations, and tables that are left out. */
export async function contentsOf(url: string, leftOut: readonly string[] = []): Promise<Record<string, string[]>> {
  const tables = await rowsOf<{ name: string }>(
    url,
    url.startsWith("sqlite:")
      ? "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
      : "select tablename as name from pg_tables where schemaname = 'public'",
  );
  // A migration is noted in one of these, and the content that it changes is counted in the other.
  const ignored = ["schema_migrations", "content_version", ...leftOut];
  const names = tables.map(({ name }) => name).filter((name) => !ignored.includes(name));
  const rows = await Promise.all(names.map((name) => rowsOf(url, `select * from ${name}`)));
  return Object.fromEntries(names.map((name, i) => [name, (rows[i] ?? []).map((row) => JSON.stringify(row)).sort()]));
}

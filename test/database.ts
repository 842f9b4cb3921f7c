import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../src/domain/store/store.ts";
import { openStore } from "../src/storage/open.ts";
import { createDatabase, dropDatabase, sqlOn, throughPooler } from "./postgres.ts";

/**
 * A fresh, empty database for a test: SQLite, or PostgreSQL where test/run.ts is told so. Of SQLite it is a copy of
 * TEST_SQLITE_FILE where test/run.ts names one: migrated already, which takes each server that opens it 100 ms.
 */
export interface TestDatabase {
  readonly url: string;
  /** All that a thief of the database would have, as text. */
  readAll(): Promise<string>;
  drop(): Promise<void>;
}

/** A store over a fresh database. */
export interface TestStore extends Pick<TestDatabase, "readAll"> {
  readonly store: Store;
  /** Removes both. */
  close(): Promise<void>;
}

export async function openTestStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const database = await createTestDatabase(folder);
  const store = await openStore(database.url);
  return {
    store,
    readAll: database.readAll,
    async close() {
      await store.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** @param folder for the file of SQLite; the caller removes it */
export async function createTestDatabase(folder: string): Promise<TestDatabase> {
  const server = process.env.TEST_STORE === "postgres" ? process.env.TEST_DATABASE_URL : undefined;
  if (server !== undefined) return onPostgres(server);
  const file = join(folder, "content.db");
  const migrated = process.env.TEST_SQLITE_FILE;
  if (migrated !== undefined) await copyFile(migrated, file);
  return {
    url: `sqlite:${file}`,
    async readAll() {
      const parts = [file, `${file}-wal`].map((path) => readFile(path, "latin1").catch(() => ""));
      return (await Promise.all(parts)).join("");
    },
    drop: async () => {},
  };
}

async function onPostgres(server: string): Promise<TestDatabase> {
  const url = throughPooler(await createDatabase(server));
  return {
    url,
    async readAll() {
      const tables = await sqlOn<{ name: string }>(
        url,
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
      );
      const contents = tables.map(({ name }) => sqlOn(url, `SELECT * FROM ${name}`));
      return JSON.stringify(await Promise.all(contents));
    },
    drop: () => dropDatabase(server, url),
  };
}

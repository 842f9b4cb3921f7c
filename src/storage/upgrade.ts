import { existsSync } from "node:fs";
import { AppError } from "../domain/errors.ts";
import type { Database } from "./database/database.ts";
import { openDatabase, sqlitePath } from "./locate.ts";
import { MIGRATIONS } from "./migrations/contents.ts";
import { latestMigration, migrate } from "./migrations/migrate.ts";
import { listOf } from "./migrations/older-nodes.ts";
import { planUpgrade, type UpgradePlan } from "./migrations/plan.ts";
import { type RolledBack, rollBack, schemaOf } from "./migrations/roll-back.ts";
import { type MigrationStatus, readSchema, statusOf } from "./migrations/status.ts";
import { isPostgresUrl } from "./postgres/address.ts";
import type { EngineSettings } from "./postgres/engine.ts";

/** Upgrades of the schema, apart from a store. All throw as `openStore`, and none makes a database. */

/** Migrations that the database has, and those to come. */
export async function migrationStatus(databaseUrl: string, engine?: EngineSettings): Promise<MigrationStatus> {
  const state = await onDatabase(databaseUrl, engine, ({ read, dialect }) => readSchema(read, dialect, MIGRATIONS));
  return statusOf(state ?? { applied: [], pending: MIGRATIONS }, latestMigration());
}

/** Effects of an upgrade, and nodes that serve the database now. null for a database that does not exist yet. */
export async function upgradePlan(databaseUrl: string, engine?: EngineSettings): Promise<UpgradePlan | null> {
  return onDatabase(databaseUrl, engine, (database) => planUpgrade(database));
}

/** Makes what is to come, but for contract migrations. */
export async function expandSchema(databaseUrl: string, now: () => number, engine?: EngineSettings): Promise<void> {
  await onDatabase(databaseUrl, engine, (database) => migrate(database, now, { contracts: false }));
}

/** Makes what is to come. @throws AppError CONFLICT with a list of the nodes that are too old for a contract migration */
export async function finishUpgrade(databaseUrl: string, now: () => number, engine?: EngineSettings): Promise<void> {
  const waiting = await onDatabase(databaseUrl, engine, (database) => migrate(database, now));
  if (waiting == null) return;
  const { names } = waiting;
  throw new AppError(
    "CONFLICT",
    `${names.join(", ")} must wait until these nodes are stopped or upgraded:\n${listOf(waiting)}`,
  );
}

/**
 * Goes back to the schema of an older program.
 *
 * @param target the version of the program, or the number of its schema
 * @throws AppError BAD_USER_INPUT for a target that is none, CONFLICT as `rollBack`
 */
export async function rollBackSchema(
  databaseUrl: string,
  target: string,
  destroysData: boolean,
  engine?: EngineSettings,
): Promise<RolledBack> {
  const schema = schemaOf(target);
  return (
    (await onDatabase(databaseUrl, engine, (database) => rollBack(database, schema, { destroysData }))) ?? {
      undone: [],
    }
  );
}

/** @returns null where there is no file of SQLite yet */
async function onDatabase<T>(
  databaseUrl: string,
  engine: EngineSettings | undefined,
  task: (database: Database) => Promise<T>,
): Promise<T | null> {
  if (!isPostgresUrl(databaseUrl) && !existsSync(sqlitePath(databaseUrl))) return null;
  const database = await openDatabase(databaseUrl, { mustExist: true, ...(engine && { engine }) });
  try {
    return await task(database);
  } finally {
    await database.close();
  }
}

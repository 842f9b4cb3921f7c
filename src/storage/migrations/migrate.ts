import { setTimeout as pause } from "node:timers/promises";
import type { Kysely } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { gates } from "./0043-gates.ts";
import { MIGRATIONS } from "./contents.ts";

export interface MigrationStatus {
  /** The version that the database has; 0 for an empty one. */
  readonly current: number;
  /** The version that this program needs. */
  readonly latest: number;
  /** Names of the migrations to come, in order, such as `0001-first`. */
  readonly pending: readonly string[];
}

/** How often the rows for locks are tried to be made, and milliseconds of which a random part lies between two attempts. */
const GATE_ATTEMPTS = 10;
const GATE_PAUSE = 100;
/** Milliseconds that a process waits while another one migrates. */
const PATIENCE = 3_600_000;

/** @throws AppError UNAVAILABLE when the schema is newer than the program */
export async function readMigrationStatus(database: Database): Promise<MigrationStatus> {
  const isMigrated = await database.dialect.hasTable(database.read, "schema_migrations");
  return statusAt(isMigrated ? await currentVersion(database.read) : 0);
}

/**
 * Brings the schema up to date. Each migration is one transaction that holds the lock, the changes and the note that
 * they were made: killed at any statement, or run by two processes at once, each is done once and whole.
 *
 * @throws AppError UNAVAILABLE when the schema is newer than the program
 */
export async function migrate(database: Database, now: () => number): Promise<void> {
  const { pending } = await readMigrationStatus(database);
  if (pending.length === 0) return;
  await database.proveMigrations?.();
  if (database.dialect.locksRows) await makeGates(database);
  for (let left = pending.length; left > 0; left--) {
    await database.write((tx) => applyNext(database, tx, now), PATIENCE);
  }
}

/** Makes the rows that migrations lock. Processes that make them at the same time get in each other's way, and try again. */
async function makeGates(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await database.write((tx) => gates(tx, database.dialect));
      return;
    } catch (error) {
      if (attempt === GATE_ATTEMPTS) throw error;
      await pause(Math.random() * GATE_PAUSE);
    }
  }
}

async function applyNext(database: Database, tx: Kysely<Schema>, now: () => number): Promise<void> {
  const { text, wholeNumber, tableOptions } = database.dialect;
  await database.dialect.shut(tx, "migrations");
  await tx.schema
    .createTable("schema_migrations")
    .ifNotExists()
    .addColumn("version", wholeNumber, (column) => column.primaryKey().notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("applied_at", text, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
  const current = await currentVersion(tx);
  statusAt(current);
  const next = MIGRATIONS.find((migration) => migration.version > current);
  if (next === undefined) return; // another process was here first
  await next.up(tx, database.dialect);
  const done = { version: next.version, name: next.name, applied_at: new Date(now()).toISOString() };
  await tx.insertInto("schema_migrations").values(done).execute();
}

async function currentVersion(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom("schema_migrations")
    .select((eb) => eb.fn.max("version").as("version"))
    .executeTakeFirst();
  return Number(row?.version ?? 0);
}

/** The version that this program needs. */
export function latestMigration(): number {
  return MIGRATIONS.at(-1)?.version ?? 0;
}

function statusAt(current: number): MigrationStatus {
  const latest = latestMigration();
  if (current > latest) {
    throw new AppError(
      "UNAVAILABLE",
      `The database has schema ${current}, this program knows schemas up to ${latest}. Run the newer program, or restore a backup from before it.`,
    );
  }
  const pending = MIGRATIONS.filter((migration) => migration.version > current);
  return {
    current,
    latest,
    pending: pending.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}`),
  };
}

/** The status of a database that does not exist yet. */
export function statusOfNothing(): MigrationStatus {
  return statusAt(0);
}

import { setTimeout as pause } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { makeGates } from "./0043-gates.ts";
import { MIGRATIONS } from "./contents.ts";
import { isStepped, type Migration, nameOf, type SteppedMigration, type WholeMigration } from "./migration.ts";
import { type InTheWay, olderThan } from "./older-nodes.ts";
import { runSteps, whenFree } from "./run.ts";
import { newestOf, readSchema, writeMinProgram } from "./status.ts";

export interface MigrateOptions {
  /** Those of this program unless given. */
  readonly migrations?: readonly Migration[];
  /** Whether contract migrations are made too where no older node lives (the default). */
  readonly contracts?: boolean;
}

/** Contract migrations that were not made, and what they wait for; nothing where they were not tried. */
export interface Waiting extends InTheWay {
  /** Names, in order. */
  readonly names: readonly string[];
}

/** How often the rows for locks are tried to be made, and milliseconds of which a random part lies between two attempts. */
const GATE_ATTEMPTS = 10;
const GATE_PAUSE = 100;

/** The version that this program knows. */
export function latestMigration(): number {
  return newestOf(MIGRATIONS);
}

/**
 * Brings the schema up to date. Killed at any statement, or run by several processes at once, it ends in the same schema once it
 * has run to its end.
 *
 * @param now for the times of the notes
 * @returns what waits for older nodes; null when nothing does
 * @throws AppError UNAVAILABLE when the schema is too new for the program
 */
export async function migrate(
  database: Database,
  now: () => number,
  { migrations = MIGRATIONS, contracts = true }: MigrateOptions = {},
): Promise<Waiting | null> {
  const { pending } = await readSchema(database.read, database.dialect, migrations);
  if (pending.length > 0) await prepare(database);
  const names: string[] = [];
  let older: InTheWay = { nodes: [], unknown: 0 };
  for (const migration of pending) {
    if (migration.kind === "contract") {
      // Contract migrations keep their order: the next one waits for the one before it.
      const found = contracts && names.length === 0 ? await begin(database, migration.demands) : older;
      if (found !== null) {
        older = found;
        names.push(nameOf(migration));
        continue;
      }
    }
    await make(database, migration, { migrations, now });
  }
  return names.length === 0 ? null : { names, ...older };
}

/** Tests what migrations rely on, and makes the rows that they lock. Processes that do so at the same time try again. */
async function prepare(database: Database): Promise<void> {
  await database.proveMigrations?.();
  for (let attempt = 1; database.dialect.locksRows; attempt++) {
    try {
      await database.write((tx) => makeGates(tx, database.dialect));
      return;
    } catch (error) {
      if (attempt === GATE_ATTEMPTS) throw error;
      await pause(Math.random() * GATE_PAUSE);
    }
  }
}

/**
 * From then on no program begins to serve that is too old for the contract migration.
 * @returns null; or what lives that is too old, and then nothing was done
 */
function begin(database: Database, demands: number): Promise<InTheWay | null> {
  return database.write(async (tx) => {
    const older = await olderThan(tx, database, demands);
    if (older === null) await writeMinProgram(tx, demands);
    return older;
  });
}

interface Making {
  readonly migrations: readonly Migration[];
  readonly now: () => number;
}

async function make(database: Database, migration: Migration, making: Making): Promise<void> {
  if (isStepped(migration)) await makeInSteps(database, migration, making);
  else await makeWhole(database, migration, making);
}

/** One transaction that holds the lock, the changes and the note that they were made. */
async function makeWhole(database: Database, migration: WholeMigration, making: Making): Promise<void> {
  await whenFree(database, async (tx) => {
    await createNotes(tx, database);
    if (await isMade(tx, database, migration, making)) return; // another process was here first
    await migration.up(tx, database.dialect);
    await note(tx, migration, making);
  });
}

async function makeInSteps(database: Database, migration: SteppedMigration, making: Making): Promise<void> {
  await runSteps(database, migration.up);
  await whenFree(database, async (tx) => {
    if (!(await isMade(tx, database, migration, making))) await note(tx, migration, making);
  });
}

async function createNotes(tx: Kysely<Schema>, { dialect }: Database): Promise<void> {
  const { text, wholeNumber, tableOptions } = dialect;
  await tx.schema
    .createTable("schema_migrations")
    .ifNotExists()
    .addColumn("version", wholeNumber, (column) => column.primaryKey().notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("applied_at", text, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
}

/** @throws AppError UNAVAILABLE when a newer program has made the schema too new in the meantime */
async function isMade(
  tx: Kysely<Schema>,
  { dialect }: Database,
  { version }: Migration,
  { migrations }: Making,
): Promise<boolean> {
  return (await readSchema(tx, dialect, migrations)).applied.includes(version);
}

async function note(tx: Kysely<Schema>, { version, name }: Migration, { now }: Making): Promise<void> {
  await tx
    .insertInto("schema_migrations")
    .values({ version, name, applied_at: new Date(now()).toISOString() })
    .execute();
}

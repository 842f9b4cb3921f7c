import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { FillKey, IndexStep, Step } from "./migration.ts";

/** Milliseconds for which migrations try again to get what others hold. */
const PATIENCE = 3_600_000;
/** Milliseconds that building one index may take: beyond that, the connection that keeps others out would time out. */
const BUILD_PATIENCE = 86_400_000;
/**
 * Milliseconds that a statement waits for its lock on PostgreSQL. While it waits, everybody who comes later waits behind it:
 * so it gives up, lets them through, and tries again.
 */
const LOCK_WAIT = 400;
/** Milliseconds between two attempts. */
const BREAK = { least: 50, most: 250 } as const;
/** Rows that one transaction of a fill changes. */
const FILL = 1_000;

/** Returned by a job that another process keeps from its work. */
const OCCUPIED = Symbol("occupied");

/** Runs the steps in order, beside programs that read and write. @throws AppError of the database */
export async function runSteps(database: Database, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await runStep(database, step);
}

async function runStep(database: Database, step: Step): Promise<void> {
  const { dialect } = database;
  switch (step.kind) {
    case "change":
      return whenFree(database, (tx) => step.run(tx, dialect), lockWait(database));
    case "fill":
      return fill(database, (tx, after) => step.run(tx, dialect, FILL, after));
    case "index":
      return buildIndex(database, step);
    case "drop index":
      return alone(database, dropping(database, step.name));
  }
}

/**
 * Runs a job in a transaction while no other process migrates. Waits without a lock and without a snapshot: an index that
 * another process builds waits for every snapshot.
 *
 * @param patience as for `Database.write`
 */
export async function whenFree<T>(
  database: Database,
  job: (tx: Kysely<Schema>) => Promise<T | typeof OCCUPIED>,
  patience: number = PATIENCE,
): Promise<T> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    try {
      const done = await database.write(
        async (tx) => ((await database.dialect.tryShut(tx, "migrations")) ? job(tx) : OCCUPIED),
        patience,
      );
      if (done !== OCCUPIED) return done;
      if (performance.now() > deadline) throw occupied();
    } catch (error) {
      if (!database.dialect.isBusy(error) || performance.now() > deadline) throw error;
    }
    await pause(BREAK.least + Math.random() * (BREAK.most - BREAK.least));
  }
}

function occupied(): AppError {
  return new AppError("UNAVAILABLE", "Another process has been migrating the database for an hour.", {
    retryAfter: 60,
  });
}

/** On SQLite, whoever waits for the lock keeps nobody waiting. */
function lockWait({ dialect }: Database): number {
  return dialect.writesOneByOne ? PATIENCE : LOCK_WAIT;
}

/** Breaks as long as the work, so that other writers have their turn. */
async function fill(
  database: Database,
  change: (tx: Kysely<Schema>, after: FillKey | null) => Promise<FillKey | null>,
): Promise<void> {
  for (let after: FillKey | null = null; ; ) {
    const began = performance.now();
    const from: FillKey | null = after;
    after = await whenFree(database, (tx) => change(tx, from), lockWait(database));
    if (after === null) return;
    await pause(performance.now() - began);
  }
}

/**
 * Where the database can, in no transaction, while another one keeps other migrators out. That one is idle meanwhile and has
 * no snapshot, so the build does not wait for it.
 */
async function buildIndex(database: Database, step: IndexStep): Promise<void> {
  const { dialect } = database;
  await whenFree(
    database,
    async (tx) => {
      if (database.runAlone === undefined) {
        await building(database, step).execute(tx);
        return;
      }
      const state = await dialect.indexState(database.read, step.name);
      if (state === "whole") return;
      if (state === "building") return OCCUPIED; // by the server, for a process that is gone
      if (state === "broken") await database.runAlone(dropping(database, step.name), BUILD_PATIENCE);
      await database.runAlone(building(database, step), BUILD_PATIENCE);
      if ((await dialect.indexState(database.read, step.name)) !== "whole") return OCCUPIED;
    },
    database.runAlone === undefined ? PATIENCE : BUILD_PATIENCE,
  );
}

async function alone(database: Database, statement: RawBuilder<unknown>): Promise<void> {
  await whenFree(
    database,
    async (tx) => {
      if (database.runAlone === undefined) await statement.execute(tx);
      else await database.runAlone(statement, BUILD_PATIENCE);
    },
    database.runAlone === undefined ? PATIENCE : BUILD_PATIENCE,
  );
}

function building(
  database: Database,
  { name, table, columns, isUnique = false, where }: IndexStep,
): RawBuilder<unknown> {
  const keys = sql.join(columns.map((column) => sql.raw(column)));
  const condition = where === undefined ? sql`` : sql` where ${where}`;
  const unique = isUnique ? sql`unique ` : sql``;
  return sql`create ${unique}index ${concurrently(database)}if not exists ${sql.ref(name)} on ${sql.table(table)} (${keys})${condition}`;
}

function dropping(database: Database, name: string): RawBuilder<unknown> {
  return sql`drop index ${concurrently(database)}if exists ${sql.ref(name)}`;
}

function concurrently({ runAlone }: Database): RawBuilder<unknown> {
  return runAlone === undefined ? sql`` : sql`concurrently `;
}

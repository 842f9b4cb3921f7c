import { sql } from "kysely";
import type { LiveNode } from "../../domain/store/nodes.ts";
import type { Database } from "../database/database.ts";
import { liveNodes } from "../tables/nodes.ts";
import { MIGRATIONS } from "./contents.ts";
import { type Migration, type MigrationKind, nameOf } from "./migration.ts";
import { unknownProcesses } from "./older-nodes.ts";
import { newestOf, readSchema } from "./status.ts";

interface PlannedMigration {
  /** Such as `0042-nodes`. */
  readonly name: string;
  readonly kind: MigrationKind;
  /** Expected duration, by the number of rows now. */
  readonly seconds: number;
  /** Part of it during which writers wait. */
  readonly writersWaitSeconds: number;
}

/**
 * - `compatible`: nothing is to be done.
 * - `expand only`: older nodes go on while it is done, and afterwards.
 * - `needs a stop`: all nodes must be stopped first.
 */
type Verdict = "compatible" | "expand only" | "needs a stop";

export interface UpgradePlan {
  readonly verdict: Verdict;
  /** The newest migration that the database has; 0 for an empty one. */
  readonly current: number;
  /** The newest that this program knows. */
  readonly latest: number;
  /** The oldest program that may serve the database, by the newest schema that it knows; null when nothing says so. */
  readonly minProgram: number | null;
  readonly pending: readonly PlannedMigration[];
  readonly nodes: readonly LiveNode[];
  /** Processes of programs from before schema 42, which are in no list. PostgreSQL knows them, SQLite does not. */
  readonly unknown: number;
}

/** @throws AppError UNAVAILABLE when the schema is too new for the program */
export async function planUpgrade(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<UpgradePlan> {
  const { read, dialect } = database;
  const { applied, pending, minProgram } = await readSchema(read, dialect, migrations);
  const nodes = await liveNodes(read, database);
  const planned: PlannedMigration[] = [];
  const isEmpty = applied.length === 0;
  for (const migration of pending) {
    const [seconds, writersWaitSeconds] = isEmpty ? [0, 0] : await durationOf(database, migration);
    planned.push({ name: nameOf(migration), kind: migration.kind, seconds, writersWaitSeconds });
  }
  return {
    verdict: isEmpty ? "compatible" : verdictOn(pending),
    current: applied.at(-1) ?? 0,
    latest: newestOf(migrations),
    ...{ minProgram, pending: planned, nodes },
    unknown: await unknownProcesses(read, database, nodes.length),
  };
}

/** Contract migrations alone wait for older nodes, but nobody waits for them. */
function verdictOn(pending: readonly Migration[]): Verdict {
  if (pending.some(({ kind }) => kind === "stop")) return "needs a stop";
  return pending.some(({ kind }) => kind === "expand") ? "expand only" : "compatible";
}

/** @returns seconds in all, and seconds during which writers wait. A whole migration has its writers wait for all of it. */
async function durationOf(database: Database, migration: Migration): Promise<[all: number, waiting: number]> {
  const { dialect, read } = database;
  let all = 0;
  let waiting = 0;
  for (const cost of migration.costs ?? []) {
    if (!(await dialect.hasTable(read, cost.table))) continue;
    const { rows } = await sql<{ count: number }>`select ${dialect.countRows(cost.table)} as count`.execute(read);
    const seconds = (Number(rows[0]?.count ?? 0) * (dialect.writesOneByOne ? cost.sqlite : cost.postgres)) / 1_000_000;
    all += seconds;
    const isBlocking = migration.kind === "stop" || (dialect.writesOneByOne && cost.blocksSqlite === true);
    if (isBlocking) waiting += seconds;
  }
  return [Math.round(all * 10) / 10, Math.round(waiting * 10) / 10];
}

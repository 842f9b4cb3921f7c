import type { Kysely } from "kysely";
import { AppError, badInput } from "../../domain/errors.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { MIGRATIONS } from "./contents.ts";
import { isStepped, type Migration, nameOf, type Step } from "./migration.ts";
import { listOf, newerThan } from "./older-nodes.ts";
import { RELEASES } from "./releases.ts";
import { runSteps, whenFree } from "./run.ts";
import { newestOf, readSchema } from "./status.ts";

interface RollBackOptions {
  /** Whether data may be destroyed that only the newer schema has. */
  readonly destroysData: boolean;
  /** Those of this program unless given. */
  readonly migrations?: readonly Migration[];
}

export interface RolledBack {
  /** Names of the migrations that were taken back, newest first. */
  readonly undone: readonly string[];
}

/**
 * A schema by its number or by the version of a program.
 * @throws AppError BAD_USER_INPUT
 */
export function schemaOf(target: string): number {
  const schema = Object.hasOwn(RELEASES, target) ? RELEASES[target] : Number(target);
  if (schema !== undefined && Number.isSafeInteger(schema) && schema > 0) return schema;
  throw badInput(
    "to",
    `${target} is no version of this program and no schema. Versions: ${Object.keys(RELEASES).join(", ")}.`,
  );
}

/**
 * Takes back the expand migrations above a schema, newest first. Killed at any statement, it ends in the same schema when it runs
 * again; a program that starts in between makes them again.
 *
 * @throws AppError CONFLICT, with nothing done: after a contract migration, for migrations without a way back, while newer nodes
 * live, and for data that would be lost
 */
export async function rollBack(
  database: Database,
  target: number,
  { destroysData, migrations = MIGRATIONS }: RollBackOptions,
): Promise<RolledBack> {
  const undoing = migrations.filter(({ version }) => version > target).reverse();
  const begun = await whenFree(database, async (tx) => {
    const { applied, minProgram } = await readSchema(tx, database.dialect, migrations);
    assertKnown(applied, newestOf(migrations));
    const made = undoing.filter(({ version }) => applied.includes(version));
    for (const migration of made) assertUndoable(migration, target);
    if ((minProgram ?? 0) > target) throw contracted(minProgram ?? 0);
    const newer = await newerThan(tx, database, target);
    if (newer !== null)
      throw new AppError("CONFLICT", `Stop these nodes first. They need the newer schema:\n${listOf(newer)}`);
    if (!destroysData) await assertNothingLost(tx, made);
    // First the notes: a program that starts now makes again what is half undone.
    await tx.deleteFrom("schema_migrations").where("version", ">", target).execute();
    return made.map(nameOf);
  });
  // Also those without a note: an attempt before this one may have been killed after it had removed the notes.
  for (const migration of undoing) await runSteps(database, downOf(migration));
  return { undone: begun };
}

function downOf(migration: Migration): readonly Step[] {
  return isStepped(migration) && migration.kind === "expand" ? migration.down : [];
}

function assertKnown(applied: readonly number[], latest: number): void {
  const newest = applied.at(-1) ?? 0;
  if (newest > latest)
    throw new AppError(
      "CONFLICT",
      `The database has schema ${newest}, this program knows schemas up to ${latest}. Run rollback of the newer program.`,
    );
}

function assertUndoable(migration: Migration, target: number): void {
  if (migration.kind === "contract") throw contracted(migration.version);
  if (!isStepped(migration))
    throw new AppError(
      "CONFLICT",
      `${nameOf(migration)} cannot be taken back. To go back to schema ${target}, restore the backup from before the upgrade.`,
    );
}

function contracted(schema: number): AppError {
  return new AppError(
    "CONFLICT",
    `The upgrade to schema ${schema} is finished: programs before it cannot work any more. To go back, restore the backup from before the upgrade.`,
  );
}

async function assertNothingLost(tx: Kysely<Schema>, migrations: readonly Migration[]): Promise<void> {
  const losses: string[] = [];
  for (const migration of migrations) {
    if (migration.kind !== "expand" || !isStepped(migration)) continue;
    for (const { what, count } of migration.losses ?? []) {
      const number = await count(tx);
      if (number > 0) losses.push(`${number} ${what} (${nameOf(migration)})`);
    }
  }
  if (losses.length > 0)
    throw new AppError("CONFLICT", `These would be lost:\n${losses.join("\n")}\nTo lose them, add --lose-data.`);
}

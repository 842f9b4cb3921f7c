import type { Kysely } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { type Migration, nameOf } from "./migration.ts";

export interface MigrationStatus {
  /** The version that the database has; 0 for an empty one. */
  readonly current: number;
  /** The version that this program knows. */
  readonly latest: number;
  /** Names of the migrations to come, in order, such as `0001-first`. */
  readonly pending: readonly string[];
}

/** State of the schema of a database, for the program that knows these migrations. */
export interface SchemaState {
  /** Versions that were made, in order. */
  readonly applied: readonly number[];
  /** Migrations to come, in order. */
  readonly pending: readonly Migration[];
  /** The oldest program that may serve the database, by the newest schema that it knows; null when nothing says so. */
  readonly minProgram: number | null;
}

/** Name of the row of `schema_limits`. */
const MIN_PROGRAM = "min_program";

/** @throws AppError UNAVAILABLE when the schema is too new for the program */
export async function readSchema(
  db: Kysely<Schema>,
  dialect: Dialect,
  migrations: readonly Migration[],
): Promise<SchemaState> {
  const applied = (await dialect.hasTable(db, "schema_migrations")) ? await appliedVersions(db) : [];
  const known = newestOf(migrations);
  const minProgram = applied.at(-1) === undefined ? null : await readMinProgram(db, dialect);
  assertServable(applied.at(-1) ?? 0, known, minProgram);
  return { applied, pending: migrations.filter(({ version }) => !applied.includes(version)), minProgram };
}

/** Versions of the migrations that were made, in order. */
export async function appliedVersions(db: Kysely<Schema>): Promise<number[]> {
  const rows = await db.selectFrom("schema_migrations").select("version").orderBy("version").execute();
  return rows.map(({ version }) => Number(version));
}

async function readMinProgram(db: Kysely<Schema>, dialect: Dialect): Promise<number | null> {
  if (!(await dialect.hasTable(db, "schema_limits"))) return null;
  const row = await db.selectFrom("schema_limits").select("schema").where("name", "=", MIN_PROGRAM).executeTakeFirst();
  return row === undefined ? null : Number(row.schema);
}

/** From then on, no older program begins to serve the database. */
export async function writeMinProgram(tx: Kysely<Schema>, schema: number): Promise<void> {
  await tx
    .insertInto("schema_limits")
    .values({ name: MIN_PROGRAM, schema })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ schema }))
    .execute();
}

/** The version that a program with these migrations knows. */
export function newestOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** Without a limit in the database, only programs that know its schema may serve it. */
function assertServable(current: number, known: number, minProgram: number | null): void {
  const least = minProgram ?? (current > known ? current : 0);
  if (least <= known) return;
  throw new AppError(
    "UNAVAILABLE",
    `The database has schema ${Math.max(current, least)}, this program knows schemas up to ${known}. Run the newer program, or restore a backup from before it.`,
  );
}

export function statusOf(
  { applied, pending }: Pick<SchemaState, "applied" | "pending">,
  latest: number,
): MigrationStatus {
  return { current: applied.at(-1) ?? 0, latest, pending: pending.map(nameOf) };
}

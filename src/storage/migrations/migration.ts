import type { Expression, Kysely, SqlBool } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/**
 * Effect of a migration on older programs.
 *
 * - `expand`: an older program goes on reading and writing.
 * - `contract`: takes away what only older programs need.
 * - `stop`: older programs must be stopped first. Only migrations from before this protocol are that.
 */
export type MigrationKind = "expand" | "contract" | "stop";

/** Microseconds that a migration takes for each row of a table, as measured (docs/evidence/upgrades.md). */
export interface MigrationCost {
  readonly table: keyof Schema;
  readonly sqlite: number;
  readonly postgres: number;
  /** Whether writers wait for as long on SQLite, which builds an index in one write. */
  readonly blocksSqlite?: boolean;
}

interface MigrationBase {
  readonly version: number;
  readonly name: string;
  readonly kind: MigrationKind;
  /** Tables whose size decides how long it takes; without them, it takes no noticeable time. */
  readonly costs?: readonly MigrationCost[];
}

/** A migration from before migrations had steps: one transaction, together with the note that it was done. No way back. */
export interface WholeMigration extends MigrationBase {
  readonly kind: "expand" | "stop";
  up(tx: Kysely<Schema>, dialect: Dialect): Promise<void>;
}

/** Adds what newer programs need, in steps that older ones do not notice. */
interface ExpandMigration extends MigrationBase {
  readonly kind: "expand";
  readonly up: readonly Step[];
  /** Takes `up` back, in steps that programs with and without the migration do not notice. */
  readonly down: readonly Step[];
  /** Data that `down` destroys. */
  readonly losses?: readonly Loss[];
}

/** Takes away what no program needs that knows schema `demands` or a newer one. */
interface ContractMigration extends MigrationBase {
  readonly kind: "contract";
  /** The oldest program that works afterwards, by the newest schema that it knows. */
  readonly demands: number;
  readonly up: readonly Step[];
}

export type SteppedMigration = ExpandMigration | ContractMigration;
export type Migration = WholeMigration | SteppedMigration;

/** Data that going back destroys. */
interface Loss {
  /** Words for the operator, such as `subtitles of posts`. */
  readonly what: string;
  /** How many there are. */
  count(db: Kysely<Schema>): Promise<number>;
}

/**
 * A part of a migration that may run again: a process that is killed leaves the parts before it, and the next one begins
 * with the first. Each is one transaction, or none (`index`).
 */
export type Step = ChangeStep | FillStep | IndexStep | DropIndexStep;

/** One statement that takes no time, however large the table: it may wait for a lock, but not for long. */
export interface ChangeStep {
  readonly kind: "change";
  /** Does nothing when it was done before. */
  run(tx: Kysely<Schema>, dialect: Dialect): Promise<void>;
}

/** Key by whose order a fill goes through a table. */
export type FillKey = string | number;

/** Changes rows in many small transactions. */
interface FillStep {
  readonly kind: "fill";
  /**
   * Looks at `limit` rows at most, and changes those that need it.
   *
   * @param after the key that the part before returned, so that no part reads what is done; null at the beginning
   * @returns the last key that it looked at; null when there was none left
   */
  run(tx: Kysely<Schema>, dialect: Dialect, limit: number, after: FillKey | null): Promise<FillKey | null>;
}

/** Builds an index while others write. */
export interface IndexStep {
  readonly kind: "index";
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly isUnique?: boolean;
  readonly where?: Expression<SqlBool>;
}

interface DropIndexStep {
  readonly kind: "drop index";
  readonly name: string;
}

/** Name of a migration for people, such as `0042-nodes`. */
export function nameOf({ version, name }: Pick<Migration, "version" | "name">): string {
  return `${String(version).padStart(4, "0")}-${name}`;
}

/** Whether a migration has steps; others are whole. */
export function isStepped(migration: Migration): migration is SteppedMigration {
  return typeof migration.up !== "function";
}

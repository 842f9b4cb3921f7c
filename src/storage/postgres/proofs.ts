import { sql } from "kysely";
import type pg from "pg";
import { AppError } from "../../domain/errors.ts";
import type { Database, Dialect } from "../database/database.ts";
import type { Connections } from "./connections.ts";
import { dialectWith } from "./dialect.ts";
import { chosenLocks, type EngineSettings, type Locks } from "./engine.ts";
import { postgresError } from "./errors.ts";
import {
  type Outcome,
  probeAnnouncing,
  probeHearing,
  probeIsolation,
  probeLocks,
  probeMigrations,
  probeOrder,
} from "./probes.ts";

/** What is said of a test that failed where there is no substitute. */
export const SENTENCES = {
  order: 'The database does not order texts by code point (COLLATE "C"): pages of lists would miss rows.',
  locks: "The database accepts advisory locks but does not lock: set DATABASE_LOCKS=rows on every node.",
  noLocks: "The database has no advisory locks: set DATABASE_LOCKS=rows on every node.",
  isolation:
    "A transaction of the database does not see what others have committed (READ COMMITTED): events would be lost.",
  migrations: "The database keeps a table whose transaction was rolled back: half a migration could stay.",
  hearing:
    "Notifications do not arrive within 2 seconds: set DATABASE_NOTIFY=poll, or DATABASE_LISTEN_URL if a pooler is in between.",
} as const;

const OLDEST_VERSION = 130_000;

/** @throws AppError UNAVAILABLE when this server, or the way to it, would change what is stored or read */
export async function assertUsable(database: Database): Promise<void> {
  const { rows } = await sql<Record<"version" | "encoding" | "strings", string>>`select
    current_setting('server_version_num') as version,
    current_setting('server_encoding') as encoding,
    current_setting('standard_conforming_strings') as strings`.execute(database.read);
  const { version = "0", encoding, strings } = rows[0] ?? {};
  if (Number(version) < OLDEST_VERSION)
    throw new AppError("UNAVAILABLE", "PostgreSQL is too old: 13 or newer is needed.");
  if (encoding !== "UTF8") {
    throw new AppError("UNAVAILABLE", `The database has the encoding ${encoding}: create it with ENCODING 'UTF8'.`);
  }
  if (strings !== "on") throw new AppError("UNAVAILABLE", "standard_conforming_strings must be on in PostgreSQL.");
}

/**
 * Selects the SQL for this server, at the start of every process.
 *
 * @throws AppError UNAVAILABLE where there is no substitute for what the server lacks, otherwise what pg threw
 */
export async function chooseDialect(connections: Connections, settings: EngineSettings): Promise<Dialect> {
  const { DATABASE_ENGINE, DATABASE_NOTIFY } = settings;
  const chosen = chosenLocks(settings);
  const isPolled = DATABASE_NOTIFY === "poll";
  if (DATABASE_ENGINE === "postgresql") return dialectWith(chosen ?? "advisory", !isPolled);
  const [order, locks, announcing] = await Promise.all([
    probeOrder(connections),
    chosen === "rows" ? null : probeLocks(connections),
    isPolled ? "refused" : probeAnnouncing(connections),
  ]);
  if (order !== "works") throw unusable("order");
  return dialectWith(chosen === "advisory" ? asAsked(locks) : (chosen ?? locksAfter(locks)), announcing === "works");
}

function locksAfter(outcome: Outcome | null): Locks {
  return outcome === "works" ? "advisory" : "rows";
}

function asAsked(outcome: Outcome | null): Locks {
  if (outcome !== "works") throw unusable(outcome === "silent" ? "locks" : "noLocks");
  return "advisory";
}

/** @throws AppError UNAVAILABLE */
export async function assertIsolation(database: Database, connections: Connections): Promise<void> {
  if ((await probeIsolation(database, connections)) !== "works") throw unusable("isolation");
}

/** @throws AppError UNAVAILABLE. A user who may make no table is rejected by the migration itself. */
export async function assertMigrations(database: Database): Promise<void> {
  if ((await probeMigrations(database)) === "silent") throw unusable("migrations");
}

/**
 * @returns whether this process can listen; also where there is no connection for it now
 * @throws AppError UNAVAILABLE where it has to
 */
export async function hearsAnything(config: pg.ClientConfig, { DATABASE_NOTIFY }: EngineSettings): Promise<boolean> {
  let outcome: Outcome;
  try {
    outcome = await probeHearing(config);
  } catch (error) {
    if (DATABASE_NOTIFY === "listen") throw postgresError(error);
    return true;
  }
  if (outcome !== "works" && DATABASE_NOTIFY === "listen") throw unusable("hearing");
  return outcome === "works";
}

function unusable(sentence: keyof typeof SENTENCES): AppError {
  return new AppError("UNAVAILABLE", SENTENCES[sentence]);
}

import type pg from "pg";
import { AppError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
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

/** Sentence about a failed test without a substitute. */
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

/**
 * Selects the SQL for this server, at the start of every process.
 *
 * @throws AppError UNAVAILABLE where there is no substitute for what the server lacks, otherwise as `postgresError`
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
  ]).catch((error: unknown) => {
    throw postgresError(error);
  });
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
export async function hearsAnything(
  config: pg.ClientConfig,
  { DATABASE_NOTIFY, DATABASE_POLL }: EngineSettings,
  log: Log,
): Promise<boolean> {
  let outcome: Outcome;
  try {
    outcome = await probeHearing(config);
  } catch (error) {
    if (DATABASE_NOTIFY === "listen") throw postgresError(error);
    return true;
  }
  if (outcome === "works") return true;
  if (DATABASE_NOTIFY === "listen") throw unusable("hearing");
  const every = `${DATABASE_POLL} ms`;
  log.warn({}, `notifications of the database do not arrive: changes of other processes are looked for each ${every}`);
  return false;
}

function unusable(sentence: keyof typeof SENTENCES): AppError {
  return new AppError("UNAVAILABLE", SENTENCES[sentence]);
}

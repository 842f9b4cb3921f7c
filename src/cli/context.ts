import { commandLine, programName } from "../config/command-line.ts";
import { type Config, readConfig } from "../config/config.ts";
import type { Administration } from "../domain/administration.ts";
import { type NewAuditEvent, recordAudit } from "../domain/audit.ts";
import { AppError } from "../domain/errors.ts";
import type { Store } from "../domain/store/store.ts";
import { hint } from "./terminal/output.ts";

/** Milliseconds of Unix time. */
export type Clock = () => number;

/** The machine's clock, for commands that open no store. */
export const systemClock: Clock = Date.now;

/** Runs a task with the configured store, which must exist, and closes it afterwards. */
export async function withStore<T>(
  task: (store: Store, config: Config, now: Clock) => Promise<T>,
  now: Clock = systemClock,
): Promise<T> {
  const config = readConfig(process.env);
  await noteDatabase(config);
  const store = await openExisting(config);
  try {
    return await task(store, config, now);
  } finally {
    await store.close();
  }
}

/** Tells a person at a terminal which database a command works on. */
async function noteDatabase({ DATABASE_URL }: Config): Promise<void> {
  if (!process.stdout.isTTY) return;
  const { showDatabase } = await import("../storage/locate.ts");
  hint(`Database: ${showDatabase(DATABASE_URL)}`);
}

/** Only `serve`, `migrate` and `restore` make a database: a command on the wrong one must not pass for done. */
async function openExisting(config: Config): Promise<Store> {
  const { DATABASE_URL } = config;
  const { openStore } = await import("../storage/open.ts");
  const { migrationStatus } = await import("../storage/upgrade.ts");
  try {
    return await openStore(DATABASE_URL, { migrate: false, engine: config });
  } catch (error) {
    const status = await migrationStatus(DATABASE_URL, config).catch(() => null);
    if (status?.current === 0) throw await noDatabase(DATABASE_URL);
    if (status !== null && status.pending.length > 0)
      throw new AppError("UNAVAILABLE", `${(error as Error).message}\nUpgrade it: ${commandLine()} migrate`);
    throw error;
  }
}

/** The error of a command that needs a database and found none. */
export async function noDatabase(databaseUrl: string): Promise<AppError> {
  const { showDatabase } = await import("../storage/locate.ts");
  const words = process.argv.slice(2, 4).filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith("-"));
  return new AppError(
    "NOT_FOUND",
    [
      `There is no database at ${showDatabase(databaseUrl)} yet.`,
      `If a server runs on another one, name it: DATABASE_URL=… ${[programName(), ...words].join(" ")} …`,
      `To make a new one, start the server: ${commandLine()} serve`,
    ].join("\n"),
  );
}

/** Writes to the audit log a change that was made at the terminal. */
export function record(store: Store, config: Config, now: Clock, event: NewAuditEvent): Promise<void> {
  return recordAudit({ store: store.audit, days: config.AUDIT_DAYS }, now(), event);
}

/** Runs a task of the operator with everything that it needs to enter the audit log. */
export function withAdministration<T>(
  task: (administration: Administration<Store>, config: Config) => Promise<T>,
): Promise<T> {
  return withStore((store, config, now) => {
    const write = (event: NewAuditEvent) => record(store, config, now, event);
    return task({ store, actorId: null, now, record: write }, config);
  });
}

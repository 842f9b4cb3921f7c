import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { AppError } from "../../domain/errors.ts";
import type { Database } from "../database/database.ts";
import type { Connections } from "./connections.ts";
import { sqlState } from "./errors.ts";
import { LOCKS } from "./locks.ts";
import { newStatement } from "./statement.ts";
import { begin, rollback } from "./transaction.ts";

/** `works` as PostgreSQL; `silent`: is accepted and does nothing; `refused`: the server does not know it. */
export type Outcome = "works" | "silent" | "refused";

/** Milliseconds that the second of two locks waits. */
const LOCK_WAIT = 2;
/** Milliseconds after which a server that knows no time limit for locks gets the first of them back. */
const RELEASE_AFTER = 200;
/** Milliseconds that a notification may take. */
const HEARING = 2_000;
/** Milliseconds that a statement of a test may take. */
const PATIENCE = 5_000;

const HOLD = newStatement(`select from pg_advisory_xact_lock_shared(${LOCKS}, hashtext($1))`, "once");
/** The time limit is set before the lock is waited for, and ends with the statement. */
const CONTEND = newStatement(
  `select set_config('lock_timeout', '${LOCK_WAIT}ms', true), pg_advisory_xact_lock(${LOCKS}, hashtext($1))`,
  "once",
);

/** Whether two connections really exclude each other with transaction-level advisory locks, as gates use them. */
export async function probeLocks(connections: Connections): Promise<Outcome> {
  const values = [`test ${randomInt(2 ** 47)}`];
  const holder = await connections.acquire();
  let isUsable = false;
  try {
    await holder.run({ statement: HOLD, values }, PATIENCE, begin(PATIENCE));
    let isHeld = true;
    const contending = connections.read({ statement: CONTEND, values }, 1).then(
      (): Outcome => (isHeld ? "silent" : "works"),
      (error): Outcome => (sqlState(error) === "55P03" ? "works" : refusedOr(error)),
    );
    const soon = await Promise.race([contending, pause(RELEASE_AFTER, null, { ref: false })]);
    isHeld = false;
    isUsable = await rollback(holder);
    return soon ?? (await contending);
  } catch (error) {
    isUsable = await rollback(holder);
    return refusedOr(error);
  } finally {
    holder.release(!isUsable);
  }
}

const ORDER = newStatement(`select 'B' collate "C" < 'a' collate "C" and 'a' collate "C" < 'ä' collate "C"`, "once");
/** Planned, and not run. */
const ANNOUNCE = newStatement("select pg_notify('content_api_test', '') where false", "once");

/** Whether texts can be ordered by code point. */
export async function probeOrder(connections: Connections): Promise<Outcome> {
  const { rows } = await connections.read({ statement: ORDER, values: [] }).catch(orRefused);
  if (rows === null) return "refused";
  return rows[0]?.[0] === "t" ? "works" : "silent";
}

/** Whether changes can be announced. `works` does not tell that anybody hears it: `probeHearing`. */
export async function probeAnnouncing(connections: Connections): Promise<Outcome> {
  const { rows } = await connections.read({ statement: ANNOUNCE, values: [] }).catch(orRefused);
  return rows === null ? "refused" : "works";
}

/**
 * Whether a notification arrives, within 2 seconds.
 *
 * @param config of the connection that listens and notifies
 * @throws Error of pg where there is no connection
 */
export async function probeHearing(config: pg.ClientConfig): Promise<Outcome> {
  const client = new pg.Client(config);
  const channel = `content_api_test_${randomUUID().replaceAll("-", "")}`;
  client.on("error", () => {});
  await client.connect();
  const patience = new AbortController();
  try {
    const heard = new Promise<Outcome>((resolve) => client.once("notification", () => resolve("works")));
    const nothing = pause(HEARING, "silent" as const, { signal: patience.signal });
    nothing.catch(() => {});
    await client.query(`listen ${channel}; notify ${channel}`);
    return await Promise.race([heard, nothing]);
  } catch (error) {
    return refusedOr(error);
  } finally {
    patience.abort();
    client.end().catch(() => {});
  }
}

/** Whether a transaction sees what another one has committed since its last statement (READ COMMITTED). Needs the table `gates`. */
export function probeIsolation(database: Database, connections: Connections): Promise<Outcome> {
  const n = async (db: Database["read"]) => {
    const { rows } = await sql<{ n: number }>`select n from gates where id = -1`.execute(db);
    return Number(rows[0]?.n);
  };
  return database.write(async (tx) => {
    const before = await n(tx);
    await connections.read({ statement: COUNT_UP, values: [] });
    return (await n(tx)) > before ? "works" : "silent";
  });
}

/** Nobody needs it on the disk. */
const COUNT_UP = newStatement(
  `with hasty as (select set_config('synchronous_commit', 'off', true))
    update gates set n = n + 1 from hasty where id = -1`,
  "once",
);

/** Whether a table is gone after the rollback of the transaction that made it. `refused`: this user may make none. */
export async function probeMigrations(database: Database): Promise<Outcome> {
  const table = `content_api_test_${randomInt(2 ** 47)}`;
  try {
    await database.write(async (tx) => {
      await tx.schema.createTable(table).addColumn("n", "integer").execute();
      throw new Undo();
    });
  } catch (error) {
    const reason = error instanceof AppError ? error.cause : error;
    if (!(reason instanceof Undo)) return refusedOr(reason);
  }
  if (!(await database.dialect.hasTable(database.read, table as never))) return "works";
  await database.write((tx) => tx.schema.dropTable(table).execute());
  return "silent";
}

class Undo extends Error {}

/** The function, statement, type or clause is unknown; or this user may not do it. */
const REFUSALS: ReadonlySet<string> = new Set(["0A000", "42501", "42601", "42704", "42883", "42P22"]);

/** @throws the error where it is none of a server that lacks something */
function refusedOr(error: unknown): "refused" {
  if (REFUSALS.has(sqlState(error))) return "refused";
  throw error;
}

function orRefused(error: unknown): { readonly rows: null } {
  refusedOr(error);
  return { rows: null };
}

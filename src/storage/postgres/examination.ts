import pg from "pg";
import { openMetrics } from "../../observe/metrics.ts";
import type { Examined } from "../database/examined.ts";
import { parsePostgresUrl, throughPooler } from "./address.ts";
import { CONNECTION, Connections } from "./connections.ts";
import { chosenLocks, type EngineSettings, listeningAddress, mayHear } from "./engine.ts";
import { postgresError } from "./errors.ts";
import { openPostgres } from "./postgres.ts";
import {
  type Outcome,
  probeAnnouncing,
  probeHearing,
  probeIsolation,
  probeLocks,
  probeMigrations,
  probeOrder,
} from "./probes.ts";
import { SENTENCES } from "./proofs.ts";
import { examineServer } from "./server-facts.ts";

/**
 * Tests what the server promises, all of it, whatever the settings say.
 *
 * @returns one row for each test; a single one where there is no connection
 * @throws AppError BAD_USER_INPUT for a malformed address
 */
export async function examinePostgres(databaseUrl: string, settings: EngineSettings): Promise<Examined[]> {
  const given = parsePostgresUrl(databaseUrl);
  const address = settings.DATABASE_POOLER === "transaction" ? throughPooler(given, databaseUrl) : given;
  const listening = { ...CONNECTION, ...listeningAddress(address, settings).config };
  const connections = new Connections(address, { metrics: openMetrics(), role: "primary" });
  const client = new pg.Client({ ...CONNECTION, ...address.config });
  client.on("error", () => {});
  try {
    await client.connect();
    return [
      ...(await examineServer(client, { address, settings })),
      await row("order", () => probeOrder(connections), { silent: SENTENCES.order, refused: SENTENCES.order }),
      await locksRow(connections, settings),
      await row("announcements", () => probeAnnouncing(connections), { refused: POLLED }),
      await hearingRow(listening, mayHear(address, settings), settings),
      ...(await examineTransactions(databaseUrl, settings, connections)),
    ];
  } catch (error) {
    return [{ test: "connection", result: "wrong", detail: postgresError(error).message }];
  } finally {
    await Promise.allSettled([client.end(), connections.close()]);
  }
}

const POLLED = "pg_notify is unknown: processes poll (DATABASE_NOTIFY=poll)";

/** How an outcome other than `works` is judged: a text is `wrong`, and one in a list is a substitute that is `good`. */
type Words = Partial<Record<Outcome, string | readonly [good: string]>>;

async function row(test: string, probe: () => Promise<Outcome>, words: Words): Promise<Examined> {
  try {
    const outcome = await probe();
    const said = words[outcome];
    if (said === undefined) return { test, result: "good", detail: "works" };
    return typeof said === "string"
      ? { test, result: "wrong", detail: said }
      : { test, result: "good", detail: said[0] };
  } catch (error) {
    return { test, result: "warning", detail: `not tested: ${postgresError(error).message}` };
  }
}

function locksRow(connections: Connections, settings: EngineSettings): Promise<Examined> {
  const chosen = chosenLocks(settings);
  if (chosen === "rows") return Promise.resolve({ test: "locks", result: "good", detail: "rows of the table gates" });
  const isAutomatic = chosen === null;
  const instead = (reason: string) => [`advisory locks ${reason}: rows of the table gates are locked instead`] as const;
  return row("locks", () => probeLocks(connections), {
    silent: isAutomatic ? instead("do nothing") : SENTENCES.locks,
    refused: isAutomatic ? instead("are unknown") : SENTENCES.noLocks,
  });
}

function hearingRow(config: pg.ClientConfig, isTried: boolean, settings: EngineSettings): Promise<Examined> {
  const poll = `the process polls, each ${settings.DATABASE_POLL} ms`;
  if (!isTried) return Promise.resolve({ test: "notifications", result: "good", detail: `switched off: ${poll}` });
  const mustHear = settings.DATABASE_NOTIFY === "listen";
  const instead = (reason: string) => (mustHear ? SENTENCES.hearing : ([`${reason}: ${poll}`] as const));
  return row("notifications", () => probeHearing(config), {
    silent: instead("none arrives within 2 seconds"),
    refused: instead("LISTEN is unknown"),
  });
}

/** Both tests write: one to the table `gates`, the other one a table that it rolls back. */
async function examineTransactions(
  databaseUrl: string,
  settings: EngineSettings,
  connections: Connections,
): Promise<Examined[]> {
  try {
    const database = await openPostgres(databaseUrl, { ...settings, DATABASE_ENGINE: "postgresql" });
    try {
      const hasGates = await database.dialect.hasTable(database.read, "gates");
      return [
        hasGates
          ? await row("isolation", () => probeIsolation(database, connections), { silent: SENTENCES.isolation })
          : { test: "isolation", result: "warning", detail: "not tested: the start makes the tables" },
        await row("migrations", () => probeMigrations(database), {
          silent: SENTENCES.migrations,
          refused: "this user may not create tables: run migrate as the owner of the database",
        }),
      ];
    } finally {
      await database.close();
    }
  } catch {
    return []; // the facts of the server have told the reason
  }
}

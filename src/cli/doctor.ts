import { existsSync, statSync } from "node:fs";
import { Command } from "commander";
import { keySet } from "../authorization-server/tokens/keys.ts";
import { type Config, readConfig } from "../config/config.ts";
import { loadPreviousSecret, loadSecret, secretPath } from "../config/installation-secret.ts";
import { isPrivate } from "../config/servable.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import { countOutdated } from "../secrets/reseal.ts";
import { openSealer } from "../secrets/seal.ts";
import type { Clock } from "./context.ts";
import { printTable } from "./terminal/output.ts";

type Finding = { check: string; result: "good" | "warning" | "wrong"; detail: string };

export function doctorCommand(now: Clock = Date.now): Command {
  return new Command("doctor")
    .description("checks the set-up and says what is wrong")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) => doctor(options, now()));
}

async function doctor(options: { json?: boolean }, now: number): Promise<void> {
  const config = readConfig(process.env);
  const findings = [
    { check: "settings", result: "good" as const, detail: "every variable is well-formed" },
    ...(await checkDatabase(config, now)),
    checkSecret(config),
    ...checkAddresses(config),
    checkClock(new Date(now)),
    { check: "mail", result: "good" as const, detail: "not needed: this version sends none" },
  ];
  printTable(findings, options.json);
  if (findings.some(({ result }) => result === "wrong")) process.exitCode = 1;
}

async function checkDatabase(config: Config, now: number): Promise<Finding[]> {
  const { DATABASE_URL, DATABASE_READ_URL: readUrl } = config;
  const { migrationStatus, openStore, showDatabase } = await import("../storage/open.ts");
  try {
    const { pending } = await migrationStatus(DATABASE_URL);
    if (pending.length > 0) {
      return [
        {
          check: "database",
          result: "warning",
          detail: `schema not up to date (${pending.join(", ")}): content-api migrate`,
        },
      ];
    }
    const complaints: string[] = [];
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: (_fields, message) => void complaints.push(message),
      error: () => {},
    };
    const store = await openStore(DATABASE_URL, { migrate: false, readUrl, log });
    try {
      await store.check();
      const people = (await store.users.isEmpty())
        ? {
            check: "people",
            result: "warning" as const,
            detail: "nobody yet: start the program and open the set-up link it prints",
          }
        : { check: "people", result: "good" as const, detail: "there is somebody" };
      return [
        { check: "database", result: "good", detail: `${showDatabase(DATABASE_URL)} answers, schema up to date` },
        ...(readUrl === null ? [] : [checkReplica(showDatabase(readUrl), complaints)]),
        people,
        await checkKeys(store, config, now),
        ...(await checkPreviousSecret(store, config)),
        ...(await checkWebhooks(store)),
      ];
    } finally {
      await store.close();
    }
  } catch (error) {
    return [{ check: "database", result: "wrong", detail: (error as Error).message }];
  }
}

/** One that refuses us has not let the store be opened. */
function checkReplica(address: string, complaints: readonly string[]): Finding {
  const check = "replica";
  const [complaint] = complaints;
  if (complaint !== undefined) return { check, result: "warning", detail: complaint };
  return { check, result: "good", detail: `${address} answers` };
}

/** Whether the signing keys can be read: without the secret that they were made with, the program does not start. */
async function checkKeys(store: Store, config: Config, now: number): Promise<Finding> {
  const check = "keys";
  const kept = await store.signingKeys.list();
  if (kept.length === 0) return { check, result: "warning", detail: "none yet: they are made at the first start" };
  if (config.SECRET_KEY === null && !existsSync(secretPath(config) ?? ""))
    return {
      check,
      result: "wrong",
      detail: "the secret that they were made with is gone: put it back from its backup",
    };
  try {
    keySet(kept, openSealer(loadSecret(config), loadPreviousSecret(config)), now);
    return { check, result: "good", detail: `${kept.length} signing keys` };
  } catch (error) {
    return { check, result: "wrong", detail: (error as Error).message };
  }
}

/** Whether SECRET_KEY_PREVIOUS has done its work. */
async function checkPreviousSecret({ sealedTexts }: Store, config: Config): Promise<Finding[]> {
  const previous = loadPreviousSecret(config);
  if (previous === null) return [];
  const check = "previous secret";
  const { outdated, unreadable } = await countOutdated(sealedTexts, openSealer(loadSecret(config), previous));
  const lost = unreadable === 0 ? "" : `; ${unreadable} texts open under neither secret`;
  const detail =
    outdated > 0
      ? `${outdated} texts are still encrypted under SECRET_KEY_PREVIOUS: a running server encrypts them anew after its start${lost}`
      : `nothing is encrypted under SECRET_KEY_PREVIOUS any more: it can go${lost}`;
  return [{ check, result: outdated + unreadable > 0 ? "warning" : "good", detail }];
}

async function checkWebhooks({ webhooks }: Store): Promise<Finding[]> {
  const check = "webhooks";
  const all = await webhooks.list();
  if (all.length === 0) return [];
  const gone = all.filter(({ disabledBy }) => disabledBy === "receiver").map(({ id }) => id);
  if (gone.length > 0)
    return [
      { check, result: "warning", detail: `disabled by their receivers, which answered 410: ${gone.join(", ")}` },
    ];
  const [failed] = await webhooks.listDeliveries({ state: "FAILED", limit: 1 });
  if (failed === undefined) return [{ check, result: "good", detail: `${all.length}, and no delivery was given up` }];
  const command = `content-api webhook deliveries ${failed.webhookId} --state FAILED`;
  return [{ check, result: "warning", detail: `deliveries were given up: ${command}` }];
}

function checkSecret(config: Config): Finding {
  const check = "secret";
  if (config.SECRET_KEY !== null) return { check, result: "good", detail: "SECRET_KEY is set" };
  const path = secretPath(config);
  if (path === null) return { check, result: "wrong", detail: "SECRET_KEY must be set with PostgreSQL" };
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined)
    return {
      check,
      result: "warning",
      detail: `${path} is not there yet: it is made at the first start`,
    };
  if ((file.mode & 0o077) !== 0) return { check, result: "wrong", detail: `${path} can be read by others: chmod 600` };
  return {
    check,
    result: "good",
    detail: `${path}, readable by its owner only; back it up apart from the database`,
  };
}

function checkAddresses({ BASE_URL, AUTH_URL, HOST }: Config): Finding[] {
  return Object.entries({ BASE_URL, AUTH_URL }).map(([check, address]) => {
    const { hostname } = new URL(address);
    const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
    if (!isPrivate(address))
      return { check, result: "wrong", detail: `${address} is public but not https: tokens would travel in the open` };
    if (loopback && !["localhost", "127.0.0.1", "::1"].includes(HOST)) {
      return { check, result: "warning", detail: `${address} works on this machine only, though HOST is ${HOST}` };
    }
    return { check, result: "good", detail: address };
  });
}

/** A clock that is far off makes every token expired or not yet valid. There is no other clock to ask, so only what cannot be is caught. */
function checkClock(now: Date): Finding {
  return now.getUTCFullYear() < 2026
    ? { check: "clock", result: "wrong", detail: `the machine thinks that it is ${now.toISOString()}: set the clock` }
    : { check: "clock", result: "good", detail: now.toISOString() };
}

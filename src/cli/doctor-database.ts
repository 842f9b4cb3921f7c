import { existsSync } from "node:fs";
import { holdsPublicPasswords, publicSetting } from "../app/demonstration.ts";
import { keySet } from "../authorization-server/tokens/keys.ts";
import { commandLine } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { secretPath } from "../config/installation-secret.ts";
import { mailMode } from "../config/mail-mode.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import { countOutdated } from "../secrets/reseal.ts";
import type { Clock } from "./context.ts";
import { checkEmails } from "./doctor-emails.ts";
import type { Finding } from "./doctor-machine.ts";
import { checkOutbox } from "./doctor-mail.ts";
import { checkLostPasskeys } from "./doctor-passkeys.ts";
import { sealerOf } from "./sealer.ts";

/** The checks of `doctor` that read the database, which they neither make nor migrate. */
export async function checkDatabase(config: Config, clock: Clock): Promise<Finding[]> {
  const now = clock();
  const { DATABASE_URL, DATABASE_READ_URL: readUrl } = config;
  const { migrationStatus, openStore, showDatabase } = await import("../storage/open.ts");
  try {
    const { current, pending } = await migrationStatus(DATABASE_URL);
    if (current === 0)
      return [
        { check: "database", result: "good", detail: `none yet at ${showDatabase(DATABASE_URL)}: the start makes it` },
      ];
    if (pending.length > 0) {
      return [
        {
          check: "database",
          result: "warning",
          detail: `schema not up to date (${pending.join(", ")}): ${commandLine()} migrate`,
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
            result: "good" as const,
            detail: `none yet: start the program (${commandLine()} serve) and open the set-up link that it prints`,
          }
        : { check: "people", result: "good" as const, detail: "there is somebody" };
      return [
        { check: "database", result: "good", detail: `${showDatabase(DATABASE_URL)} answers, schema up to date` },
        ...(readUrl === null ? [] : [checkReplica(showDatabase(readUrl), complaints)]),
        people,
        ...(await checkEmails(store.users)),
        ...(await checkLostPasskeys(store.passkeys, config)),
        ...(await checkDemonstration(store, config)),
        await checkKeys(store, config, now),
        ...(await checkPreviousSecret(store, config)),
        ...(databaseFile(config) === null ? [await checkDatabaseClock(store, clock)] : []),
        ...(await checkWebhooks(store)),
        ...(mailMode(config) === "none" ? [] : await checkOutbox(store.mails, now)),
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
  if (kept.length === 0) return { check, result: "good", detail: "none yet: the first start makes them" };
  if (config.SECRET_KEY === null && !existsSync(secretPath(config) ?? ""))
    return {
      check,
      result: "wrong",
      detail: "the secret that they were made with is gone: put it back from its backup",
    };
  try {
    keySet(kept, sealerOf(config), now);
    return { check, result: "good", detail: `${kept.length} signing keys` };
  } catch (error) {
    return { check, result: "wrong", detail: (error as Error).message };
  }
}

/** Milliseconds by which clocks may differ. Links, codes and limits of several nodes count on them (U75). */
const CLOCK_TOLERANCE = 2_000;

/** Whether this machine and the database agree about the time. @param now Unix time in milliseconds */
export async function checkDatabaseClock(store: Pick<Store, "clock">, now: Clock): Promise<Finding> {
  const check = "clock of the database";
  const before = now();
  const theirs = await store.clock();
  const [earliest, latest] = [before - CLOCK_TOLERANCE, now() + CLOCK_TOLERANCE];
  if (theirs >= earliest && theirs <= latest) return { check, result: "good", detail: "agrees with this machine" };
  const seconds = Math.round(Math.abs(theirs - before) / 1_000);
  const detail = `is ${seconds} s ${theirs > before ? "ahead of" : "behind"} this machine: set both by NTP`;
  return { check, result: "warning", detail };
}

/** Whether SECRET_KEY_PREVIOUS can be removed. */
async function checkPreviousSecret({ sealedTexts }: Store, config: Config): Promise<Finding[]> {
  if (config.SECRET_KEY_PREVIOUS === null) return [];
  const check = "previous secret";
  const { outdated, unreadable } = await countOutdated(sealedTexts, sealerOf(config));
  const lost = unreadable === 0 ? "" : `; ${unreadable} texts can be read with neither secret`;
  const detail =
    outdated > 0
      ? `${outdated} texts are still encrypted with SECRET_KEY_PREVIOUS: a running server encrypts them again${lost}`
      : `nothing is encrypted with SECRET_KEY_PREVIOUS any more: it can be removed${lost}`;
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
  const command = `${commandLine()} webhook deliveries ${failed.webhookId} --state FAILED`;
  return [{ check, result: "warning", detail: `deliveries were given up: ${command}` }];
}

async function checkDemonstration(store: Store, config: Config): Promise<Finding[]> {
  const check = "demonstration";
  if (!(await holdsPublicPasswords(store))) return [];
  const people = "this database holds demonstration people, whose password is public";
  const setting = publicSetting(config);
  if (setting === null) return [{ check, result: "warning", detail: `${people}: keep nothing real in it` }];
  const detail = `${people}, and ${setting} is no loopback address: name another database in DATABASE_URL`;
  return [{ check, result: "wrong", detail }];
}

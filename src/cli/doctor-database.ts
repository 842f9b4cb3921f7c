import { holdsPublicPasswords, publicSetting } from "../app/demonstration.ts";
import { commandLine } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { mailMode } from "../config/mail-mode.ts";
import type { Finding } from "../diagnosis/finding.ts";
import { checkOutbox } from "../diagnosis/mails.ts";
import { checkMigrations, checkNodes } from "../diagnosis/running.ts";
import { checkDatabaseClock, checkKeys, checkPreviousSecret, checkWebhooks } from "../diagnosis/stored.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import type { Clock } from "./context.ts";
import { checkEmails } from "./doctor-emails.ts";
import { checkLostPasskeys } from "./doctor-passkeys.ts";
import { sealerOf } from "./sealer.ts";

/** The checks of `doctor` that read the database, which they neither make nor migrate. */
export async function checkDatabase(config: Config, clock: Clock): Promise<Finding[]> {
  const now = clock();
  const sealer = () => sealerOf(config);
  const { DATABASE_URL, DATABASE_READ_URL: readUrl } = config;
  const { showDatabase } = await import("../storage/locate.ts");
  const { openStore } = await import("../storage/open.ts");
  const { upgradePlan } = await import("../storage/upgrade.ts");
  try {
    const plan = await upgradePlan(DATABASE_URL, config);
    if (plan === null || plan.current === 0)
      return [
        { check: "database", result: "good", detail: `none yet at ${showDatabase(DATABASE_URL)}: the start makes it` },
      ];
    const pending = plan.pending.filter(({ kind }) => kind !== "contract").map(({ name }) => name);
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
    const store = await openStore(DATABASE_URL, { migrate: false, engine: config, readUrl, log });
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
        await checkNodes(store),
        ...(plan.pending.length === 0 ? [] : [await checkMigrations(store)]),
        people,
        ...(await checkEmails(store.users)),
        ...(await checkLostPasskeys(store.passkeys, config)),
        ...(await checkDemonstration(store, config)),
        await checkKeys(store, { config, sealer, now }),
        ...(await checkPreviousSecret(store, config, sealer)),
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

async function checkDemonstration(store: Store, config: Config): Promise<Finding[]> {
  const check = "demonstration";
  if (!(await holdsPublicPasswords(store))) return [];
  const people = "this database holds demonstration people, whose password is public";
  const setting = publicSetting(config);
  if (setting === null) return [{ check, result: "warning", detail: `${people}: keep nothing real in it` }];
  const detail = `${people}, and ${setting} is no loopback address: name another database in DATABASE_URL`;
  return [{ check, result: "wrong", detail }];
}

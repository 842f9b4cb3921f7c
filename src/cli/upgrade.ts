import { Command } from "commander";
import { commandLine } from "../config/command-line.ts";
import { type Config, readConfig } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { noteLastBackup } from "../diagnosis/last-backup.ts";
import { AppError } from "../domain/errors.ts";
import type { UpgradePlan } from "../storage/migrations/plan.ts";
import { type Clock, noDatabase, systemClock } from "./context.ts";
import { EXIT_CODES } from "./terminal/exit-codes.ts";
import { hint, printLines, printRecord, printTable } from "./terminal/output.ts";
import { progressBar } from "./terminal/progress-bar.ts";

interface UpgradeOptions {
  readonly check?: boolean;
  readonly finish?: boolean;
  readonly backup?: string;
  readonly backupDone?: boolean;
  readonly stopped?: boolean;
  readonly json?: boolean;
}

/** Exit codes of `upgrade --check`. */
const ANSWERS = {
  compatible: EXIT_CODES.done,
  "expand only": EXIT_CODES.expandOnly,
  "needs a stop": EXIT_CODES.needsStop,
} as const;

const HELP = `
Exit codes of --check: 0 compatible (nothing to do), 3 expand only (older nodes go on), 4 needs a stop.

Several nodes: upgrade, replace one node after the other, upgrade --finish.
To go back before --finish: stop the newer nodes, rollback --to VERSION, start the older ones.`;

export function upgradeCommand(now: Clock = systemClock): Command {
  return new Command("upgrade")
    .description("upgrades the database for this program while older nodes go on; makes a backup first")
    .option("--check", "only report what an upgrade would do, and whether older nodes must stop for it")
    .option("--finish", "remove what only older programs need; rejected while one of them serves")
    .option("--backup <file>", "file for the backup of SQLite (defaults to one beside the database)")
    .option("--backup-done", "a backup was made already (needed with PostgreSQL)")
    .option("--stopped", "all nodes are stopped (needed for an upgrade that needs a stop)")
    .option("--json", "print JSON")
    .addHelpText("after", HELP)
    .action((options: UpgradeOptions) => upgrade(options, now));
}

async function upgrade(options: UpgradeOptions, now: Clock): Promise<void> {
  const config = readConfig(process.env);
  const { upgradePlan, expandSchema, finishUpgrade } = await import("../storage/upgrade.ts");
  const plan = await upgradePlan(config.DATABASE_URL, config);
  if (plan === null) throw await noDatabase(config.DATABASE_URL);
  if (options.check) return report(plan, options.json);
  if (options.finish) {
    assertExpanded(plan);
    await finishUpgrade(config.DATABASE_URL, now, config);
  } else if (plan.verdict !== "compatible") {
    await assertReady(plan, options);
    const file = await backUp(config, plan, options, now);
    if (file !== null) hint(`The database is backed up to ${file}.`, options.json);
    await expandSchema(config.DATABASE_URL, now, config);
  }
  const after = (await upgradePlan(config.DATABASE_URL, config)) ?? plan;
  await printRecord(
    { current: after.current, latest: after.latest, pending: after.pending.map(({ name }) => name) },
    options.json,
  );
  hint(nextStep(after), options.json);
}

async function report(plan: UpgradePlan, json: boolean | undefined): Promise<void> {
  const { verdict, current, latest, minProgram, pending, nodes, unknown } = plan;
  const seconds = pending.reduce((sum, migration) => sum + migration.seconds, 0);
  const waiting = pending.reduce((sum, migration) => sum + migration.writersWaitSeconds, 0);
  const minutes = Math.ceil(seconds / 6) / 10;
  process.exitCode = ANSWERS[verdict].code;
  if (json) return printLines([JSON.stringify({ ...plan, minutes, writersWaitSeconds: waiting })]);
  await printRecord(
    {
      verdict,
      schema: `${current}, this program ${latest}`,
      "oldest program": minProgram === null ? "any" : `schema ${minProgram}`,
      minutes: `${minutes}`,
      "writers wait": `${waiting} s`,
      "live nodes": nodes.length + unknown,
    },
    false,
  );
  if (pending.length > 0) await printLines([""]);
  await printTable(
    pending.map((migration) => ({ ...migration })),
    false,
    ["name"],
  );
  if (nodes.length > 0) await printLines([""]);
  await printTable(
    nodes.map(({ version, schema, host, pid, startedAt }) => ({ version, schema, host, pid, startedAt })),
    false,
  );
  if (unknown > 0) hint(`${unknown} processes of a version before 0.2.0 use the database too.`);
}

/** Contract migrations rely on the expand migrations before them, and on the backup before those. */
function assertExpanded({ verdict }: UpgradePlan): void {
  if (verdict !== "compatible")
    throw new AppError("CONFLICT", `First run ${commandLine()} upgrade, and replace the older nodes.`);
}

async function assertReady(plan: UpgradePlan, { stopped }: UpgradeOptions): Promise<void> {
  if (plan.verdict !== "needs a stop") return;
  const { listOf } = await import("../storage/migrations/older-nodes.ts");
  if (plan.nodes.length + plan.unknown > 0)
    throw new AppError("CONFLICT", `This upgrade needs a stop. These nodes serve:\n${listOf(plan)}`);
  if (!stopped) throw new AppError("CONFLICT", "This upgrade needs a stop. Stop all nodes, then add --stopped.");
}

/** @returns the whole path of the copy; null where the operator has made one */
async function backUp(config: Config, plan: UpgradePlan, options: UpgradeOptions, now: Clock): Promise<string | null> {
  if (options.backupDone) return null;
  const path = databaseFile(config);
  if (path === null)
    throw new AppError(
      "CONFLICT",
      `Back up the database, then add --backup-done:\n  pg_dump --format=custom --exclude-table-data=account_tokens --exclude-table-data=mails --exclude-table-data=nodes --file=before-${plan.latest}.dump "$DATABASE_URL"`,
    );
  const at = new Date(now()).toISOString();
  const file = options.backup ?? `${path}-before-${plan.latest}-${at.replace(/\W/g, "").slice(0, 15)}`;
  const { backupStore } = await import("../storage/copies.ts");
  await backupStore(config.DATABASE_URL, file, progressBar("Backing up"));
  noteLastBackup(path, { at, file });
  return file;
}

function nextStep({ pending, nodes, unknown, latest }: UpgradePlan): string {
  if (pending.length > 0) return `Replace the older nodes, then finish: ${commandLine()} upgrade --finish`;
  const older = nodes.filter(({ schema }) => schema < latest).length + unknown;
  return older > 0 ? `The schema is up to date. Replace the ${older} older nodes.` : "The schema is up to date.";
}

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { commandLine } from "../config/command-line.ts";
import { readConfig } from "../config/config.ts";
import { databaseFile } from "../config/database-file.ts";
import { secretPath } from "../config/installation-secret.ts";
import { showSize } from "../diagnosis/finding.ts";
import { noteLastBackup } from "../diagnosis/last-backup.ts";
import { type Clock, noDatabase, systemClock } from "./context.ts";
import { hint, printLines } from "./terminal/output.ts";
import { progressBar } from "./terminal/progress-bar.ts";

export function backupCommand(): Command {
  return new Command("backup")
    .argument("<file>", "file to write; it must not exist")
    .description("copies the database while the program runs, and checks the copy")
    .action((file: string) => backup(file));
}

export function restoreCommand(): Command {
  return new Command("restore")
    .argument("<file>", "file that backup wrote")
    .option("--replace", "replace an existing database, which is kept under another name")
    .description("restores a backup; stop the program first")
    .action((file: string, options: { replace?: boolean }) => restore(file, options.replace ?? false));
}

async function backup(file: string, now: Clock = systemClock): Promise<void> {
  const config = readConfig(process.env);
  const { backupStore } = await import("../storage/copies.ts");
  const { showDatabase } = await import("../storage/locate.ts");
  const path = databaseFile(config);
  if (path !== null && !existsSync(path)) throw await noDatabase(config.DATABASE_URL);
  await backupStore(config.DATABASE_URL, file, progressBar("Backing up"));
  const whole = resolve(file);
  if (path !== null) noteLastBackup(path, { at: new Date(now()).toISOString(), file: whole });
  await printLines([file]);
  hint(`The database ${showDatabase(config.DATABASE_URL)} is copied to ${whole} (${showSize(statSync(file).size)}).`);
  const secret = config.SECRET_KEY === null ? secretPath(config) : null;
  hint(`Keep ${secret ?? "SECRET_KEY"} too, in another place.`);
  hint(`To restore: ${commandLine()} restore ${file}`);
}

async function restore(file: string, replace: boolean): Promise<void> {
  const config = readConfig(process.env);
  const { restoreStore } = await import("../storage/copies.ts");
  const { showDatabase } = await import("../storage/locate.ts");
  const where = showDatabase(config.DATABASE_URL);
  const kept = await restoreStore(config.DATABASE_URL, file, { replace }, progressBar("Restoring"));
  await printLines([config.DATABASE_URL]);
  hint(`The backup ${resolve(file)} is the database ${where} now.`);
  if (kept !== null) hint(`The database that was there before is kept as ${kept}.`);
  hint(`Start the server: ${commandLine()} serve`);
}

import { Command } from "commander";
import { readConfig } from "../config/config.ts";
import { hint } from "./terminal/output.ts";
import { progressBar } from "./terminal/progress-bar.ts";

export function backupCommand(): Command {
  return new Command("backup")
    .argument("<file>", "file to write; it must not exist")
    .description("copies the database while the program runs, and checks the copy")
    .action(async (file: string) => {
      const { DATABASE_URL } = readConfig(process.env);
      const { backupStore } = await import("../storage/open.ts");
      const bar = progressBar("Backing up");
      await backupStore(DATABASE_URL, file, bar);
      console.log(file);
      hint("Keep secret.key (or SECRET_KEY) too, in another place. To restore: content-api restore FILE");
    });
}

export function restoreCommand(): Command {
  return new Command("restore")
    .argument("<file>", "file that backup wrote")
    .option("--replace", "put it in the place of the database that is there")
    .description("puts a backup back; the program must be stopped")
    .action(async (file: string, options: { replace?: boolean }) => {
      const { DATABASE_URL } = readConfig(process.env);
      const { restoreStore } = await import("../storage/open.ts");
      const bar = progressBar("Restoring");
      await restoreStore(DATABASE_URL, file, { replace: options.replace ?? false }, bar);
      console.log(DATABASE_URL);
      hint("Start it again with: content-api serve");
    });
}

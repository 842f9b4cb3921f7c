import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { auditCommand } from "./cli/audit.ts";
import { backupCommand, restoreCommand } from "./cli/backup.ts";
import { clientCommand } from "./cli/client.ts";
import { doctorCommand } from "./cli/doctor.ts";
import { keysCommand } from "./cli/keys.ts";
import { migrateCommand } from "./cli/migrate.ts";
import { serveCommand } from "./cli/serve.ts";
import { tokenCommand } from "./cli/token.ts";
import { userCommand } from "./cli/user.ts";
import { webhookCommand } from "./cli/webhook.ts";
import { ConfigError } from "./config/config.ts";
import { AppError } from "./domain/errors.ts";

/** Runs one command and sets the exit code: 0 done, 1 failed, 2 used wrongly. Messages go to standard error. */
export async function run(argv: readonly string[]): Promise<void> {
  const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
  const program = new Command("content-api")
    .version(version, "--version", "prints the version")
    .description(
      "Users and posts over one GraphQL endpoint, with an OAuth 2.0 and OpenID Connect authorization server.",
    )
    .addCommand(serveCommand())
    .addCommand(migrateCommand())
    .addCommand(userCommand())
    .addCommand(clientCommand())
    .addCommand(tokenCommand())
    .addCommand(keysCommand())
    .addCommand(webhookCommand())
    .addCommand(auditCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(doctorCommand());
  for (const command of [program, ...program.commands.flatMap((child) => [child, ...child.commands])]) {
    command.exitOverride().showHelpAfterError();
  }
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError) {
    console.error(`${error.message}\nAll settings: content-api serve --help`);
    return 2;
  }
  if (error instanceof AppError) {
    console.error(error.message);
    return error.code === "BAD_USER_INPUT" ? 2 : 1;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    console.error("The port is in use. Is the program running already? Set PORT to another one.");
  else console.error(code === undefined ? error : message);
  return 1;
}

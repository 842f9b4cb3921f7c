import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { agentCommand } from "./cli/agent.ts";
import { auditCommand } from "./cli/audit.ts";
import { backupCommand, restoreCommand } from "./cli/backup.ts";
import { clientCommand } from "./cli/client.ts";
import { completionCommand } from "./cli/completion.ts";
import { doctorCommand } from "./cli/doctor.ts";
import { healthcheckCommand } from "./cli/healthcheck.ts";
import { keysCommand } from "./cli/keys.ts";
import { mailCommand } from "./cli/mail.ts";
import { mcpCommand } from "./cli/mcp.ts";
import { migrateCommand } from "./cli/migrate.ts";
import { rollbackCommand } from "./cli/rollback.ts";
import { serveCommand } from "./cli/serve.ts";
import { EXIT_CODES } from "./cli/terminal/exit-codes.ts";
import { Interrupted } from "./cli/terminal/interrupted.ts";
import { OutputError } from "./cli/terminal/output.ts";
import { usageLines } from "./cli/terminal/usage.ts";
import { tokenCommand } from "./cli/token.ts";
import { upgradeCommand } from "./cli/upgrade.ts";
import { upstreamCommand } from "./cli/upstream.ts";
import { userCommand } from "./cli/user.ts";
import { webhookCommand } from "./cli/webhook.ts";
import { programName } from "./config/command-line.ts";
import { ConfigError } from "./config/config.ts";
import { AppError } from "./domain/errors.ts";

/**
 * Runs one command and sets its exit code (EXIT_CODES). Messages go to standard error. A result that could not be written
 * is a failure.
 */
export async function run(argv: readonly string[]): Promise<void> {
  process.stdout.on("error", () => {
    process.exitCode ||= EXIT_CODES.failed.code;
  });
  const program = openProgram();
  try {
    await program.parseAsync(idsLast(argv), { from: "user" });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? reportUsage(program, argv, error) : report(error);
  }
}

/** Ids of tokens and keys are random and may begin with a dash: behind `--` they are no options. */
function idsLast(argv: readonly string[]): string[] {
  const isId = (word: string, at: number) => /^-[\w-]{40,}$/.test(word) && !argv[at - 1]?.startsWith("-");
  const ids = argv.filter(isId);
  return ids.length === 0 ? [...argv] : [...argv.filter((word, at) => !isId(word, at)), "--", ...ids];
}

/** All commands. @param name the words with which the program is called */
export function openProgram(name = programName()): Command {
  const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
  const program = new Command(name)
    .version(version, "--version", "prints the version")
    .description(
      "Users and posts over one GraphQL endpoint, with an OAuth 2.0 and OpenID Connect authorization server.",
    )
    .addCommand(serveCommand())
    .addCommand(migrateCommand())
    .addCommand(upgradeCommand())
    .addCommand(rollbackCommand())
    .addCommand(userCommand())
    .addCommand(clientCommand())
    .addCommand(tokenCommand())
    .addCommand(keysCommand())
    .addCommand(webhookCommand())
    .addCommand(mailCommand())
    .addCommand(mcpCommand())
    .addCommand(upstreamCommand())
    .addCommand(agentCommand())
    .addCommand(auditCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(doctorCommand())
    .addCommand(healthcheckCommand());
  program.addCommand(completionCommand(program));
  for (const command of [program, ...program.commands.flatMap((child) => [child, ...child.commands])]) {
    command.exitOverride().configureOutput({ outputError: () => {} }); // reportUsage says it in three lines
  }
  return program;
}

function reportUsage(program: Command, argv: readonly string[], error: CommanderError): number {
  if (error.exitCode === 0) return Number(process.exitCode ?? 0);
  // A command without its subcommand has printed its help.
  if (error.code !== "commander.help") for (const line of usageLines(program, argv, error)) console.error(line);
  return EXIT_CODES.misused.code;
}

function report(error: unknown): number {
  if (error instanceof Interrupted) return EXIT_CODES.interrupted.code;
  if (error instanceof OutputError) {
    if (!error.isReaderGone) console.error(error.message);
    return EXIT_CODES.failed.code;
  }
  if (error instanceof ConfigError) {
    console.error(`${error.message}\nAll settings: ${programName()} serve --help`);
    return EXIT_CODES.misused.code;
  }
  if (error instanceof AppError) {
    console.error(error.message);
    return error.code === "BAD_USER_INPUT" ? EXIT_CODES.misused.code : EXIT_CODES.failed.code;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    console.error("The port is in use. Is the program running already? Set PORT to another one.");
  else console.error(code === undefined ? error : message);
  return EXIT_CODES.failed.code;
}

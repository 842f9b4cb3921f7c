import { Command } from "commander";
import { type Config, readConfig } from "../config/config.ts";
import { ownHosts } from "../http/listen-addresses.ts";
import { EXIT_CODES } from "./terminal/exit-codes.ts";
import { hint, printLines } from "./terminal/output.ts";

/** Milliseconds that the server may take to answer: below the time limits of service managers and containers. */
const PATIENCE = 3_000;

export function healthcheckCommand(): Command {
  return new Command("healthcheck")
    .description("asks the server on this machine whether it is ready: exit code 0, or 1 with the reason")
    .addHelpText(
      "after",
      "\nReads the same settings as the server, and asks /readyz at HOST and OPERATIONS_PORT, or PORT without it.",
    )
    .action(async () => {
      const problem = await problemOf(readConfig(process.env));
      if (problem === null) return printLines(["ready"]);
      hint(problem);
      process.exitCode = EXIT_CODES.failed.code;
    });
}

/** The reason why no server here is ready; null for one that is. */
async function problemOf({ HOST, PORT, OPERATIONS_PORT }: Config): Promise<string | null> {
  let problem = "";
  for (const host of await ownHosts(HOST)) {
    const url = `http://${host}:${OPERATIONS_PORT ?? PORT}/readyz`;
    try {
      const { status } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), redirect: "manual" });
      if (status === 200) return null;
      return `${url} answers ${status}: the server cannot reach its database, or is stopping.`;
    } catch (error) {
      const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
      problem ||= `${url} does not answer (${cause?.code ?? message}).`;
    }
  }
  return problem;
}

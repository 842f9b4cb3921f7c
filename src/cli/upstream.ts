import { Command } from "commander";
import { readConfig } from "../config/config.ts";
import { type Clock, systemClock } from "./context.ts";
import { checkUpstreams } from "./doctor-upstreams.ts";
import { EXIT_CODES } from "./terminal/exit-codes.ts";
import { hint, printTable } from "./terminal/output.ts";

export function upstreamCommand(now: Clock = systemClock): Command {
  const command = new Command("upstream").description("other services at which people sign in");
  command
    .command("check")
    .description("reads the file UPSTREAMS, and asks each service how it describes itself")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(process.env);
      const findings = await checkUpstreams(config, now);
      if (findings.some(({ result }) => result === "warning")) process.exitCode = EXIT_CODES.failed.code;
      if (json) return printTable(findings, true);
      if (findings.length === 0) return hint("UPSTREAMS names no service: people sign in here.");
      return printTable(findings, false, ["check"]);
    });
  return command;
}

import { Command } from "commander";
import { commandLine } from "../config/command-line.ts";
import { type Config, readConfig } from "../config/config.ts";
import type { Finding } from "../diagnosis/finding.ts";
import { checkBackup, checkDisk } from "../diagnosis/machine.ts";
import { checkAddresses, checkClock, checkSecret } from "../diagnosis/settings.ts";
import { type Clock, systemClock } from "./context.ts";
import { checkDatabase } from "./doctor-database.ts";
import { checkPort, checkReach } from "./doctor-machine.ts";
import { checkMailServer } from "./doctor-mail.ts";
import { checkMcp } from "./doctor-mcp.ts";
import { checkPasskeys } from "./doctor-passkeys.ts";
import { checkUpstreams } from "./doctor-upstreams.ts";
import { EXIT_CODES } from "./terminal/exit-codes.ts";
import { printLines, printTable } from "./terminal/output.ts";

/** Columns of the longest check. */
const WIDEST = "public address".length;

/** Questions that no check of this program can answer. */
const UNCHECKED: readonly Finding[] = [
  { check: "proxy", result: "unchecked", detail: "TLS certificates, and which headers the proxy passes on" },
  { check: "secret backup", result: "unchecked", detail: "whether the secret is kept somewhere else too" },
];

export function doctorCommand(now: Clock = systemClock): Command {
  return new Command("doctor")
    .description("checks the set-up and says what is wrong, and what it did not check")
    .option("--mcp <url>", "checks from outside whether agents can connect to this address, and nothing else")
    .option("--database", "tests what the database promises (locks, notifications, transactions), and nothing else")
    .option("--json", "print JSON")
    .action(async ({ mcp, database, json }: { mcp?: string; database?: boolean; json?: boolean }) => {
      if (mcp !== undefined) await report(await checkMcp(mcp), json);
      else await report(database ? await checkEngine(readConfig(process.env)) : await examine(now), json);
    });
}

async function checkEngine(config: Config): Promise<Finding[]> {
  const { examineEngine } = await import("../storage/examine.ts");
  const rows = await examineEngine(config.DATABASE_URL, config);
  return rows.map(({ test, result, detail }) => ({ check: test, result, detail }));
}

async function examine(clock: Clock): Promise<Finding[]> {
  const now = clock();
  const config = readConfig(process.env);
  return [
    { check: "settings", result: "good", detail: "every variable is well-formed" },
    ...(await checkDatabase(config, clock)),
    checkSecret(config),
    ...checkAddresses(config),
    checkPasskeys(config),
    checkClock(new Date(now)),
    await checkPort(config),
    ...(await checkReach(config)),
    await checkDisk(config),
    checkBackup(config, now, commandLine()),
    ...(await checkMailServer(config, clock)),
    ...(await checkUpstreams(config, clock)),
    ...UNCHECKED,
  ];
}

async function report(findings: readonly Finding[], json: boolean | undefined): Promise<void> {
  if (json) await printTable(findings, true);
  else
    await printLines(
      findings.map(({ check, result, detail }) => `${check.padEnd(WIDEST)}  ${result.padEnd(9)}  ${detail}`),
    );
  if (findings.some(({ result }) => result === "wrong")) process.exitCode = EXIT_CODES.failed.code;
}

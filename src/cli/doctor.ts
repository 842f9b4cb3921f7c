import { statSync } from "node:fs";
import { Command } from "commander";
import { commandLine } from "../config/command-line.ts";
import { type Config, readConfig } from "../config/config.ts";
import { secretPath } from "../config/installation-secret.ts";
import { isLoopback, isPrivate } from "../config/loopback.ts";
import { type Clock, systemClock } from "./context.ts";
import { checkDatabase } from "./doctor-database.ts";
import { checkBackup, checkDisk, checkPort, checkReach, type Finding } from "./doctor-machine.ts";
import { checkMailServer } from "./doctor-mail.ts";
import { checkMcp } from "./doctor-mcp.ts";
import { checkPasskeys } from "./doctor-passkeys.ts";
import { checkUpstreams } from "./doctor-upstreams.ts";
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
    .option("--json", "print JSON")
    .action(async ({ mcp, json }: { mcp?: string; json?: boolean }) =>
      report(mcp === undefined ? await examine(now) : await checkMcp(mcp), json),
    );
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
  if (findings.some(({ result }) => result === "wrong")) process.exitCode = 1;
}

function checkSecret(config: Config): Finding {
  const check = "secret";
  if (config.SECRET_KEY !== null) return { check, result: "good", detail: "SECRET_KEY is set" };
  const path = secretPath(config);
  if (path === null) return { check, result: "wrong", detail: "SECRET_KEY must be set with PostgreSQL" };
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined)
    return {
      check,
      result: "good",
      detail: `none yet at ${path}: the first start makes it`,
    };
  if ((file.mode & 0o077) !== 0) return { check, result: "wrong", detail: `${path} can be read by others: chmod 600` };
  return {
    check,
    result: "good",
    detail: `${path}, readable by its owner only; back it up apart from the database`,
  };
}

function checkAddresses({ BASE_URL, AUTH_URL, HOST }: Config): Finding[] {
  return Object.entries({ BASE_URL, AUTH_URL }).map(([check, address]) => {
    const { hostname, pathname } = new URL(address);
    if (!isPrivate(address))
      return { check, result: "wrong", detail: `${address} is public but not https: tokens would travel in the open` };
    if (check === "BASE_URL" && pathname !== "/")
      return { check, result: "wrong", detail: `${address} must have no path: give the API a host name of its own` };
    if (isLoopback(hostname) && !isLoopback(HOST)) {
      return { check, result: "warning", detail: `${address} works on this machine only, though HOST is ${HOST}` };
    }
    return { check, result: "good", detail: address };
  });
}

/** A clock that is far off makes every token expired or not yet valid. There is no other clock to ask, so only what cannot be is caught. */
function checkClock(now: Date): Finding {
  return now.getUTCFullYear() < 2026
    ? { check: "clock", result: "wrong", detail: `the machine thinks that it is ${now.toISOString()}: set the clock` }
    : { check: "clock", result: "good", detail: now.toISOString() };
}

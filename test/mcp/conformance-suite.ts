import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Revision, Skip } from "./conformance-skips.ts";

const SUITE = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/package.json")));

interface Check {
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

export interface Judgement {
  /** 0 if all required scenarios pass. */
  readonly code: number;
  /** Checks of each scenario that decide about it. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
  readonly output: string;
}

/** Scenarios that a revision requires of servers. */
export function requiredScenarios(revision: Revision): string[] {
  const text = readFileSync(join(SUITE, "requirements", `${revision}.yaml`), "utf8");
  const [, section = ""] = /^server:\n((?: {2}- .*\n)+)/m.exec(text) ?? [];
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, scenario = ""]) => scenario);
}

/** Runs all scenarios of a revision, required or not. The suite reaches no other host than the server. */
export async function judge(url: string, revision: Revision): Promise<Judgement> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const words = [join(SUITE, "dist/index.js"), "server", "--url", url, "--requirements", revision, "-o", folder];
    const [code, output] = await new Promise<[number, string]>((resolve) => {
      execFile(process.execPath, words, { cwd: folder, maxBuffer: 100_000_000 }, (error, stdout) =>
        resolve([error === null ? 0 : Number(error.code), stdout]),
      );
    });
    const scenarios = readdirSync(folder).map((name): [string, Check[]] => {
      const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[];
      return [name.replace(/^server-(.*)-\d{4}-\d\d-\d\dT.*$/, "$1"), checks];
    });
    return { code, scenarios: new Map(scenarios), output };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const failuresAmong = (checks: readonly Check[] = []) => checks.filter(({ status }) => status === "FAILURE");

/** Scenarios that fail, and those that check nothing: they say nothing, or that they could not. */
export function skipped({ scenarios }: Judgement): string[] {
  const names: string[] = [];
  for (const [scenario, checks] of scenarios) {
    if (failuresAmong(checks).length > 0) names.push(`${scenario} fails`);
    else if (checks.some(isWarning) || !checks.some(({ status }) => status === "SUCCESS"))
      names.push(`${scenario} checks nothing`);
  }
  return names.sort();
}

const isWarning = ({ status }: Check) => status === "WARNING";

/** The same of the list. */
export function listed(skips: readonly Skip[], revision: Revision): string[] {
  return skips
    .filter(({ revisions }) => revisions.includes(revision))
    .flatMap(({ scenarios, outcome }) => scenarios.map((scenario) => `${scenario} ${outcome}`))
    .sort();
}

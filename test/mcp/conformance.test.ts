import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { CONFORMANCE_SKIPS, type Skip } from "./conformance-skips.ts";
import { type FixtureServer, openFixtureServer } from "./fixture-server.ts";

const SUITE = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/package.json")));

interface Outcome {
  readonly hasPassed: boolean;
  /** Checks that passed and failed. */
  readonly passed: number;
  readonly failed: number;
}

/** Scenarios that a revision requires of servers. */
function requiredScenarios(revision: string): string[] {
  const text = readFileSync(join(SUITE, "requirements", `${revision}.yaml`), "utf8");
  const [, section = ""] = /^server:\n((?: {2}- .*\n)+)/m.exec(text) ?? [];
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, scenario = ""]) => scenario);
}

describe("A07 the conformance suite, on a server made of our transport", () => {
  let server: FixtureServer;
  let folder: string;
  before(async () => {
    server = await openFixtureServer();
    folder = await mkdtemp(join(tmpdir(), "conformance-"));
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** The suite reaches no other host than the server: it is told its URL, and nothing else. */
  function judge(revision: string): Promise<{ code: number; outcomes: Map<string, Outcome>; output: string }> {
    const words = [join(SUITE, "dist/index.js"), "server", "--url", server.url, "--requirements", revision];
    return new Promise((resolve) => {
      execFile(process.execPath, words, { cwd: folder, maxBuffer: 100_000_000 }, (error, output) => {
        const summary = output.slice(output.indexOf("=== SUMMARY ==="));
        const lines = summary.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gm);
        const outcomes = Array.from(lines, ([, mark, scenario = "", passed, failed]): [string, Outcome] => [
          scenario,
          { hasPassed: mark === "✓", passed: Number(passed), failed: Number(failed) },
        ]);
        resolve({ code: error === null ? 0 : Number(error.code), outcomes: new Map(outcomes), output });
      });
    });
  }

  for (const [revision, count] of [
    ["2026-07-28", 37],
    ["2025-11-25", 30],
  ] as const)
    test(`${revision}: every required scenario passes, and the others are the ones listed`, async () => {
      const required = requiredScenarios(revision);
      assert.equal(required.length, count);
      const { code, outcomes, output } = await judge(revision);
      assert.equal(code, 0, output);
      for (const scenario of required) assert.equal(outcomes.get(scenario)?.hasPassed, true, scenario);
      const skipped: Pick<Skip, "scenario" | "outcome">[] = [];
      for (const [scenario, { hasPassed, passed }] of outcomes) {
        if (!hasPassed) skipped.push({ scenario, outcome: "fails" });
        else if (passed === 0) skipped.push({ scenario, outcome: "checks nothing" });
      }
      const listed = CONFORMANCE_SKIPS.filter((skip) => skip.revision === revision);
      assert.deepEqual(byName(skipped), byName(listed.map(({ scenario, outcome }) => ({ scenario, outcome }))));
    });
});

function byName<Row extends { readonly scenario: string }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => one.scenario.localeCompare(other.scenario));
}

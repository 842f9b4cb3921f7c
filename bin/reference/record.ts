// Runs suites, and notes what they see and no table of the program has: npm run docs:recorded. Takes about ten minutes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RECORDED, readFacts, readRecorded, withFacts } from "./recorded.ts";

/** Suites that meet errors of fields and rows of the audit. */
const SUITES = [
  "test/{app,events,graphql,mcp,security}/**/*.test.ts",
  "test/cli/{agent,audit}.test.ts",
  "test/e2e/{administration,agents,forms,main-job,openid-client,passkeys,sign-in,subscriptions,upstream}.test.ts",
];

const folder = mkdtempSync(join(tmpdir(), "content-api-recorded-"));
try {
  const file = join(folder, "facts");
  writeFileSync(file, "");
  const { status } = spawnSync(process.execPath, ["test/run.ts", ...SUITES], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, RECORD_FACTS: file },
    stdio: "inherit",
  });
  // A failed suite has seen facts too.
  writeFileSync(RECORDED, `${JSON.stringify(withFacts(readRecorded(), readFacts(file)), null, 2)}\n`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
